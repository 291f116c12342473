-- SPDX-License-Identifier: Apache-2.0
-- Lua's coroutines, with an error in some: coroutines.lua SIZE N
local function walk(nr, depth)
	if depth == 0 then return coroutine.yield(nr) end
	local ok, value = pcall(walk, nr, depth - 1)
	if depth == 2 and nr % 3 == 0 then error({ nr }) end
	return (ok and tonumber(value) or 1) + string.len(tostring(nr):rep(depth))
end

local function one_round()
	local all, sum = {}, 0
	for nr = 1, 10 do all[nr] = coroutine.wrap(function()
		local total = 0
		for i = 1, 5 do local _, v = pcall(walk, nr, (nr + i) % 6) total = total + (tonumber(v) or 7) end
		return -total
	end) end
	local left = 10
	while left > 0 do
		for nr = 1, 10 do if all[nr] then
			local v = all[nr](3)
			sum = (sum * 17 + v) % 1000003
			if v < 0 then all[nr] = false left = left - 1 end
		end end
	end
	return sum
end

local first = one_round()
for _ = 1, tonumber(arg[2] or "3") do assert(one_round() == first) end
print("ok", first)
