# SPDX-License-Identifier: Apache-2.0
"""measured.py - what was measured of rows and columns, and the tables of it."""
import statistics
import sys

import worker as workers


def show(value, form="%.1f"):
    return "-" if value is None else form % value


def ratio(a, b, form="%.2f x"):
    return "-" if not a or not b else form % (a / b)


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


class Measured:
    """
    Figures by row and column. The rounds of a row take all columns in turn, so that what the
    machine does otherwise meets all of them; a ratio is the median of the ratios of each round.
    """

    def __init__(self, columns):
        self.columns = columns
        self.figures = {}
        self.failed = {}

    def measure(self, row, rounds, seconds_of):
        for i in range(rounds):
            for column in self.columns:
                if column.can_run(row) and not (column.is_peer and i > 0):
                    tell_progress("%s, %s (%d of %d)" % (row.name, column.name, i + 1, rounds))
                    self.run(row, column, seconds_of(column))
        tell_progress("")

    def run(self, row, column, seconds):
        figure = None
        try:
            if (row.name, column.name) not in self.failed:
                figure = column.run(row, seconds)
        except workers.Trouble as trouble:
            self.failed[row.name, column.name] = str(trouble)
        self.figures.setdefault((row.name, column.name), []).append(figure)

    def each(self, row, column, of):
        """What `of` finds in each run of the row under the column, None where it failed."""
        return [figure and of(figure) for figure in self.figures.get((row, column), [])]

    def median(self, row, column, of):
        if (row, column) in self.failed:
            return None
        return median(self.each(row, column, of))

    def ns(self, row, column):
        return self.median(row, column, lambda figure: figure.ns_each)

    def times_bare(self, row, column):
        """How many times as long as bare; None if that is not known."""
        if (row, column) in self.failed:
            return None
        beside = self.median(row, column, lambda figure: figure.times_bare)
        if beside:
            return beside
        pairs = zip(self.each(row, column, lambda figure: figure.ns_each),
                    self.each(row, "bare", lambda figure: figure.ns_each))
        return median(a / b for a, b in pairs if a and b)

    def added_ns(self, row, column):
        """ns a unit of work more than bare."""
        times, bare = self.times_bare(row, column), self.ns(row, "bare")
        return (times - 1) * bare if times else None

    def noise(self, row):
        """How far the runs of the bare program are apart, as a share."""
        runs = [ns for ns in self.each(row, "bare", lambda figure: figure.ns_each) if ns]
        return (max(runs) - min(runs)) / statistics.median(runs) if runs else None

    def table(self, title, rows, cell, form):
        print("%-15s" % title + "".join("%10s" % column.name for column in self.columns))
        for row in rows:
            cells = ["failed" if self.is_bad(row, column) else
                     show(cell(row.name, column.name), form) for column in self.columns]
            print("%-15s" % row.label + "".join("%10s" % text for text in cells))
        print()

    def is_bad(self, row, column):
        """A peer that can't do something is no failure of ours."""
        return (row.name, column.name) in self.failed and not column.is_peer

    def notes(self):
        """Why there is no figure where there is none."""
        for column in self.columns:
            if column.why_not:
                print("%s: %s" % (column.name, column.why_not))
        for (row, column), why in self.failed.items():
            print("%s, %s: %s" % (row, column, why))
        if self.failed or any(column.why_not for column in self.columns):
            print()


def tell_progress(text):
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" + text)
        sys.stderr.flush()
