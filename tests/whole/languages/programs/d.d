// SPDX-License-Identifier: Apache-2.0
// For each line a number: garbage, exceptions, a collection, a fibre.
import core.memory;
import core.thread;
import std.conv;
import std.stdio;
import std.string;

int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int deep(int n)
{
	if (n == 0)
		throw new Exception("odd");
	return deep(n - 1) + 1;
}

void work(int n)
{
	int[][string] words;
	string caught;
	int sum;
	foreach (i; 0 .. 2000)
		words[to!string(i * n % 777)] = [i, i, i];
	try
		deep(n);
	catch (Exception e)
		caught = e.msg;
	auto fibre = new Fiber({ foreach (i; 0 .. 5) { sum += fib(i); Fiber.yield(); } });
	foreach (i; 0 .. 4)
		fibre.call();
	auto thread = new Thread({ sum += fib(10); });
	thread.start();
	thread.join();
	GC.collect();
	writefln("%d: %d %d %s %d", n, fib(15), words.length, caught, sum);
	stdout.flush();
}

int main()
{
	foreach (line; stdin.byLine)
		work(to!int(strip(line)));
	writeln("end");
	return 3;
}
