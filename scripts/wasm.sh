#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds carom::carom with em++ and checks that the hash of tests/bits is the same under Node as in native builds.
#   scripts/wasm.sh NAME PROGRAM [NAME PROGRAM...]     e.g. g++ build/release/tests/bits
set -euo pipefail
if [ $# -lt 2 ] || [ $(($# % 2)) -ne 0 ]; then
  echo "usage: scripts/wasm.sh NAME PROGRAM [NAME PROGRAM...]" >&2
  exit 2
fi
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work="$top/build/wasm"
mkdir -p "$work/include"
# Debian's include folder holds glibc's headers too: link the one library that is needed.
ln -sfn /usr/include/boost "$work/include/boost"
# A node that is not Debian's does not look for Debian's modules by itself.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

{
  emcmake cmake -S "$top" -B "$work/tree" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-fexceptions \
    -DCAROM_TESTS=OFF -DCAROM_COMMAND=OFF -DCAROM_BATCH=OFF -DCAROM_BENCHMARKS=OFF \
    -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH -DEigen3_DIR=/usr/share/eigen3/cmake -DBoost_INCLUDE_DIR="$work/include"
  ninja -C "$work/tree" carom
  em++ -std=c++20 -O2 -ffp-contract=off -DEIGEN_DONT_VECTORIZE -I"$top" -isystem /usr/include/eigen3 \
    -fexceptions -sSINGLE_FILE=1 -sENVIRONMENT=node -sINITIAL_MEMORY=33554432 \
    "$top/tests/bits/bits.cpp" "$work/tree/libcarom.a" -o "$work/bits.js"
} </dev/null >&2
expected=$(node "$work/bits.js" </dev/null)
printf 'bits: WebAssembly %s' "$expected"
same=0
while [ $# -ge 2 ]; do
  hash=$("$2" </dev/null)
  printf ', %s %s' "$1" "$hash"
  [ "$hash" = "$expected" ] || same=1
  shift 2
done
echo
exit $same
