# SPDX-License-Identifier: Apache-2.0
# For each line a number: garbage, exceptions, sorting.
use strict;
use warnings;
$| = 1;

sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
sub deep { my ($n) = @_; die "odd\n" if $n == 0; return 1 + deep($n - 1); }

while (my $line = <STDIN>) {
    my $n = int($line);
    my %words = map { ($_ * $n % 777) => [$_, $_, $_] } 0 .. 2000;
    eval { deep($n); };
    chomp(my $caught = $@);
    my @sorted = sort { $a <=> $b } keys %words;
    print "$n: ", fib(15), " ", scalar(@sorted), " $caught $sorted[-1]\n";
}
print "end\n";
exit 3;
