#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds carom::carom with em++ and checks that the hash of tests/bits is the same under Node as natively.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work="$top/build/wasm"
mkdir -p "$work/include"
# Debian's include folder holds glibc's headers too: link the libraries that are needed.
ln -sfn /usr/include/eigen3 "$work/include/eigen3"
ln -sfn /usr/include/boost "$work/include/boost"
# A node that is not Debian's does not look for Debian's modules by itself.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

mapfile -t sources < <(find "$top"/carom/{core,impact,complementarity,laws,mechanics,motion} -name '*.cpp' | sort)
sources+=("$top/tests/bits/bits.cpp")
flags=(-std=c++20 -O2 -ffp-contract=off -DEIGEN_DONT_VECTORIZE -I"$top" -isystem "$work/include/eigen3" -isystem "$work/include")
em++ "${flags[@]}" -fexceptions -sSINGLE_FILE=1 -sENVIRONMENT=node -sINITIAL_MEMORY=33554432 \
  "${sources[@]}" -o "$work/bits.js" </dev/null
wasm=$(node "$work/bits.js" </dev/null)
g++ "${flags[@]}" -O3 "${sources[@]}" -o "$work/bits" </dev/null
native=$("$work/bits" </dev/null)
echo "native $native, WebAssembly $wasm"
[ "$native" = "$wasm" ]
