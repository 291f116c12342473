#!/bin/sh
# embed.sh FILE HEADER: the bytes of FILE as a string for C, which ends an array of it with a zero
# more. A compiler takes seconds for the megabytes of an image when each byte is a number.
set -eu
{
	echo '""'
	od -An -v -to1 -w64 "$1" | sed 's/ /\\/g; s/.*/"&"/'
} > "$2"
