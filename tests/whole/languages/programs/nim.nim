# SPDX-License-Identifier: Apache-2.0
# For each line a number: garbage, exceptions, a collection.
import std/[strutils, tables]

proc fib(n: int): int = (if n < 2: n else: fib(n - 1) + fib(n - 2))

proc deep(n: int): int =
  if n == 0:
    raise newException(ValueError, "odd")
  deep(n - 1) + 1

iterator some(n: int): int {.closure.} =
  for i in 0 ..< 5:
    yield i * n

proc work(n: int) =
  var words = initTable[string, seq[int]]()
  for i in 0 .. 2000:
    words[$(i * n mod 777)] = @[i, i, i]
  var caught = ""
  try:
    discard deep(n)
  except ValueError as e:
    caught = e.msg
  var sum = 0
  for value in some(n):
    sum += value
  GC_fullCollect()
  echo n, ": ", fib(15), " ", words.len, " ", caught, " ", sum
  flushFile(stdout)

for line in stdin.lines:
  work(parseInt(line))
echo "end"
quit(3)
