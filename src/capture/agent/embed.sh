#!/bin/sh
# embed.sh FILE HEADER: the bytes of FILE as the inside of a C array.
set -eu
od -An -v -tx1 "$1" | sed 's/ \(..\)/0x\1,/g' > "$2"
