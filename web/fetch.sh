#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fetch.sh NPM FOLDER: what package-lock.json names, into FOLDER/node_modules, if it is not there
# yet. No script of a package is run. Fails with one line on stderr that says why.
set -eu
npm=$1 folder=$2
here=$(dirname "$0")

mkdir -p "$folder"
cmp -s "$here/package-lock.json" "$folder/fetched.json" && exit 0
rm -f "$folder/fetched.json"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$folder"
cd "$folder"
# What npm has in its cache is not asked for again: then this needs no network.
if ! timeout 300 "$npm" ci --ignore-scripts --prefer-offline --no-audit --no-fund \
	--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 >npm.log 2>&1 </dev/null; then
	why=$(sed -n 's/^npm \(ERR!\|error\) code //p' npm.log | head -n 1)
	echo "npm could not fetch its libraries (${why:-no answer}; see $folder/npm.log)" >&2
	exit 1
fi
cp package-lock.json fetched.json
