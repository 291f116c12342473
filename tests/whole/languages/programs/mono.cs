// SPDX-License-Identifier: Apache-2.0
// For each line a number: garbage, exceptions, a collection, a thread.
using System;
using System.Collections.Generic;
using System.Threading;

class Program
{
	static int Fib(int n)
	{
		return n < 2 ? n : Fib(n - 1) + Fib(n - 2);
	}

	static int Deep(int n)
	{
		if (n == 0)
			throw new InvalidOperationException("odd");
		return Deep(n - 1) + 1;
	}

	static void Work(int n)
	{
		var words = new Dictionary<string, int[]>();
		int caught = 0, inThread = 0;
		string missing = n < 0 ? "" : null;
		for (int i = 0; i < 2000; i++)
			words["" + i * n % 777] = new int[5];
		try {
			Deep(n);
		} catch (InvalidOperationException) {
			caught++;
		}
		try {
			caught += missing.Length;
		} catch (NullReferenceException) {
			caught++;
		}
		var thread = new Thread(() => { inThread = Fib(10); GC.Collect(); });
		thread.Start();
		thread.Join();
		GC.Collect();
		Console.WriteLine("{0}: {1} {2} {3} {4}", n, Fib(15), words.Count, caught, inThread);
	}

	static int Main()
	{
		string line;
		while ((line = Console.ReadLine()) != null)
			Work(int.Parse(line));
		Console.WriteLine("end");
		return 3;
	}
}
