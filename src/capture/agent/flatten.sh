#!/bin/sh
# flatten.sh AGENT.ELF AGENT.BIN: the agent's image, if it can stand alone.
set -eu
undefined=$(nm -u "$1")
[ -z "$undefined" ] || { echo "agent needs symbols from outside: $undefined" >&2; exit 1; }
relocations=$(readelf -rW "$1" | grep -c R_X86_64 || true)
[ "$relocations" = 0 ] || { echo "agent has $relocations relocations" >&2; exit 1; }
# Of absolute addresses, which are not where the agent is: of functions that are not declared hidden.
tables=$(readelf -SW "$1" | grep -c '[.]got' || true)
[ "$tables" = 0 ] || { echo "agent has a table of absolute addresses (.got)" >&2; exit 1; }
# Vector registers that hold arguments may be stored as they are; nothing else. The head is data.
code=$(nm "$1" | sed -n 's/ . agent_code$//p')
if objdump -d --start-address="0x$code" "$1" | grep -vE '\<v?movups +%[xyz]mm[0-7],\(%r[a-z0-9]+\)$' |
		grep -qE '%(xmm|ymm|zmm|st|mm)[0-9(]'; then
	echo "agent uses more than general registers" >&2
	exit 1
fi
objcopy -O binary --set-section-flags .bss=alloc,load,contents "$1" "$2"
