# SPDX-License-Identifier: Apache-2.0
# Continuations that are called again and again, from within other calls; fibres beside them.
require 'continuation'
def f(n) n==0 ? callcc{|k| $ks << k; 0} : f(n-1)+1 end
$ks=[]; $n=0
r=f(5)
$n+=1
if $n<200
  k=$ks[$n % $ks.size]
  k.call($n)
end
puts r
fib=Fiber.new{ 3.times{|i| Fiber.yield i}; 9}
4.times{ print fib.resume, " "}
puts
