#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""seeds_mangled.py FOLDER - names of C++ functions for fuzz_mangled, each in a file: one of each kind."""
import os
import sys

NAMES = """1fiPKcd 3addIiET_S0_S0_ NK1a1bEid NO1a1bEi NSt6vectorIiSaIiEE9push_backEOi N1aC2Eid N1aD0Ev
1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKS4_i 1fSsRKSs 1fi3food 1fiM1aFvvEi 1filxjmstehabcwn
Znwm N1acviEv N12_GLOBAL__N_11fEi Z4mainENKUlvE_clEv 1fB5cxx11i 4packIJidcEEiDpT_ 1fIT_EvT_ 1fDnDiDsDu 1fiz
NSt8ios_base4InitC1Ev StlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc NKSt5ctypeIcE8do_widenEc
1fPFvidE 1fRA3_KiU8__vectori 1fCdDv4_f NK3foo3barIiLi3EEEDaT_ ThnN8_N1a1bEv TV1a""".split()


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for i, name in enumerate(NAMES):
        with open(os.path.join(folder, "name%d" % i), "w", encoding="ascii") as f:
            f.write(name)


main()
