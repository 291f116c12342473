# SPDX-License-Identifier: Apache-2.0
# For each line a number: arrays, recursion, strings.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
{
	delete words
	for (i = 0; i < 2000; i++)
		words[sprintf("%d", i * $1 % 777)] = i
	print $1 ": " fib(15) " " length(words)
	fflush()
}
END {
	print "end"
	exit 3
}
