# SPDX-License-Identifier: Apache-2.0
# For each line a number: garbage, exceptions, a collection, a thread, a fibre.
def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)
def deep(n) = n == 0 ? raise("odd") : 1 + deep(n - 1)

$stdout.sync = true
$stdin.each_line do |line|
  n = line.to_i
  words = {}
  2000.times { |i| words[(i * n % 777).to_s] = [i] * 5 }
  caught = begin
    deep(n)
  rescue RuntimeError => e
    e.message
  end
  fibre = Fiber.new { 3.times { |i| Fiber.yield fib(i + 5) } }
  sum = fibre.resume + fibre.resume
  in_thread = Thread.new { fib(10) }.value
  GC.start
  puts "#{n}: #{fib(15)} #{words.size} #{caught} #{sum} #{in_thread}"
end
puts "end"
exit 3
