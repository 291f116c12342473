# SPDX-License-Identifier: Apache-2.0
"""abreast.py - cases that mostly wait are run several at a time, and told in their order.

Each runs in a process of its own: what it forks, or changes of itself, is its own.
"""
import multiprocessing


def results(nr_cases, run, at_once=4):
    """Yields run(i) of 0 to nr_cases - 1, in this order; what a case prints comes when it may."""
    global work
    work = run
    with multiprocessing.get_context("fork").Pool(at_once, maxtasksperchild=1) as pool:
        yield from pool.imap(call, range(nr_cases))


def call(i):
    return work(i)
