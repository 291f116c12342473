# SPDX-License-Identifier: Apache-2.0
# For each line a number: garbage, exceptions, a collection, a thread, a generator.
import gc
import sys
import threading


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def deep(n):
    if n == 0:
        raise ValueError("odd")
    return deep(n - 1) + 1


def some(n):
    for i in range(5):
        yield i * n


def work(n):
    words = {str(i * n % 777): [i] * 5 for i in range(2000)}
    try:
        caught = deep(n)
    except ValueError as error:
        caught = error
    found = []
    thread = threading.Thread(target=lambda: found.append(fib(10)))
    thread.start()
    thread.join()
    gc.collect()
    print("%d: %d %d %s %d %d" % (n, fib(15), len(words), caught, sum(some(n)), found[0]),
          flush=True)


for line in sys.stdin:
    work(int(line))
print("end")
sys.exit(3)
