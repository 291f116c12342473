#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh HEADER COMPILER...: the system calls of this machine's kernel headers, as rows of a table.
set -eu
to=$1
shift
echo '#include <asm/unistd.h>' | "$@" -E -dM - |
	sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\2 \1/p' | sort -n |
	sed 's/\(.*\) \(.*\)/{ \1, "\2" },/' >"$to"
[ -s "$to" ] || { echo "names.sh: the kernel's headers name no system call" >&2; exit 1; }
