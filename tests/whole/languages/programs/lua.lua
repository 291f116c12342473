-- SPDX-License-Identifier: Apache-2.0
-- For each line a number: garbage, errors, a collection, a coroutine.
local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end
local function deep(n) if n == 0 then error("odd", 0) end return 1 + deep(n - 1) end

for line in io.lines() do
  local n = tonumber(line)
  local words, size = {}, 0
  for i = 0, 2000 do words[tostring(i * n % 777)] = { i, i, i } end
  for _ in pairs(words) do size = size + 1 end
  local _, caught = pcall(deep, n)
  local co = coroutine.wrap(function() for i = 1, 5 do coroutine.yield(fib(i)) end end)
  local sum = co() + co() + co()
  collectgarbage()
  io.write(n, ": ", fib(15), " ", size, " ", caught, " ", sum, "\n")
  io.flush()
end
print("end")
os.exit(3)
