// SPDX-License-Identifier: Apache-2.0
// For each line a number: garbage, exceptions, an overflow of the stack, a generator.
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const over = (n) => over(n + 1) + 1;

function deep(n) {
	if (n === 0)
		throw new Error("odd");
	return deep(n - 1) + 1;
}

function* some(n) {
	for (let i = 0; i < 5; i++)
		yield i * n;
}

function work(n) {
	const words = new Map();
	let caught = "";
	for (let i = 0; i < 2000; i++)
		words.set(String(i * n % 777), [i, i, i]);
	try {
		deep(n);
	} catch (e) {
		caught = e.message;
	}
	try {
		over(0);
	} catch (e) {
		caught += " " + e.name;
	}
	const sum = [...some(n)].reduce((a, b) => a + b);
	console.log(`${n}: ${fib(15)} ${words.size} ${caught} ${sum}`);
}

require("readline").createInterface({ input: process.stdin })
	.on("line", (line) => work(Number(line)))
	.on("close", () => {
		console.log("end");
		process.exitCode = 3;
	});
