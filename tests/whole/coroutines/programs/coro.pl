# SPDX-License-Identifier: Apache-2.0
# Perl's Coro: coro.pl SIZE N
use strict;
use warnings;
eval { require Coro; require Coro::State; 1 } or do { print "no Coro\n"; exit };
Coro::State::cctx_stacksize($ARGV[0] / 8 < 16384 ? 16384 : $ARGV[0] / 8);

sub walk { my ($nr, $depth) = @_;
	if (!$depth) { Coro::cede(); return $nr }
	my @sorted = sort { walk($nr, $depth - 1) if $a == 1; $a <=> $b } (2, 1);
	return $sorted[0] + $depth }

sub one_round { my $sum = 0;
	my @all = map { my $nr = $_; Coro->new(sub { my $t = 0; $t += walk($nr, ($nr + $_) % 4) for 1 .. 4; $sum += $t * $nr }) } 1 .. 8;
	$_->ready for @all; $_->join for @all;
	return $sum }

my $first = one_round();
for (1 .. $ARGV[1] // 3) { die if one_round() != $first }
print "ok $first\n";
