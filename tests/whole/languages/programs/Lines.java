// SPDX-License-Identifier: Apache-2.0
// For each line a number: garbage, exceptions, a collection, a thread, an overflow of the stack.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;

class Lines {
	static int fib(int n) {
		return n < 2 ? n : fib(n - 1) + fib(n - 2);
	}

	static int deep(int n) {
		if (n == 0)
			throw new IllegalStateException("odd");
		return deep(n - 1) + 1;
	}

	static int over(int n) {
		return over(n + 1) + 1;
	}

	static void work(int n) throws Exception {
		HashMap<String, int[]> words = new HashMap<>();
		int[] inThread = new int[1];
		String caught = "", missing = n < 0 ? "" : null;
		for (int i = 0; i < 2000; i++)
			words.put("" + i * n % 777, new int[5]);
		try {
			deep(n);
		} catch (IllegalStateException e) {
			caught = e.getMessage();
		}
		try {
			caught += over(0);
		} catch (StackOverflowError e) {
			caught += " overflow";
		}
		try {
			caught += missing.length();
		} catch (NullPointerException e) {
			caught += " null";
		}
		Thread thread = new Thread(() -> inThread[0] = fib(10));
		thread.start();
		thread.join();
		System.gc();
		System.out.println(n + ": " + fib(15) + " " + words.size() + " " + caught + " " + inThread[0]);
	}

	public static void main(String[] args) throws Exception {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
		String line;
		while ((line = input.readLine()) != null)
			work(Integer.parseInt(line));
		System.out.println("end");
		System.exit(3);
	}
}
