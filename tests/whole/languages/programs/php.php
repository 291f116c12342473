<?php
// SPDX-License-Identifier: Apache-2.0
// For each line a number: garbage, exceptions, a collection, a generator.
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function deep($n) { if ($n == 0) throw new Exception("odd"); return 1 + deep($n - 1); }
function some($n) { for ($i = 0; $i < 5; $i++) yield $i * $n; }

while (($line = fgets(STDIN)) !== false) {
	$n = (int)$line;
	$words = [];
	for ($i = 0; $i < 2000; $i++)
		$words["w" . ($i * $n % 777)] = array_fill(0, 5, $i);
	try {
		$caught = deep($n);
	} catch (Exception $e) {
		$caught = $e->getMessage();
	}
	$ring = new stdClass;
	$ring->ring = $ring;
	unset($ring);
	gc_collect_cycles();
	echo "$n: ", fib(15), " ", count($words), " $caught ", array_sum(iterator_to_array(some($n))), "\n";
}
echo "end\n";
exit(3);
