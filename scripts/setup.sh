# SPDX-License-Identifier: Apache-2.0
# Sourced by ./run and ./test: installs what is missing, configures, builds. Words go to standard
# error; standard input is left alone, since streams come through it.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$top/build/release"

packages_to_build=(g++ cmake ninja-build libeigen3-dev libcli11-dev libtomlplusplus-dev
  libsimdjson-dev libfmt-dev libceres-dev libboost-dev libtbb-dev libxsimd-dev libhdf5-dev
  zlib1g-dev
  python3-numpy python3-matplotlib python3-pil)
packages_for_python=(pybind11-dev python3-dev python3-numpy)
packages_to_test=(libgtest-dev librapidcheck-dev nlohmann-json3-dev libbenchmark-dev clang-format
  libopenmpi-dev openmpi-bin python3-hypothesis python3-pip python3-setuptools python3-venv
  python3-wheel)
packages_for_long_tests=(clang clang-tidy libclang-rt-14-dev emscripten)

say() { printf 'carom: %s\n' "$*" >&2; }

# need PACKAGE...: installs those that are missing, with apt; elsewhere names them and stops.
need() {
  local missing=()
  if command -v dpkg-query >/dev/null 2>&1; then
    local installed
    # It fails where it does not know one of them, after reporting the others.
    installed=" $(dpkg-query -W -f='${db:Status-Abbrev}${Package} ' "$@" 2>/dev/null || true) "
    local package
    for package in "$@"; do
      [[ "$installed" == *"ii $package "* ]] || missing+=("$package")
    done
  elif ! command -v cmake >/dev/null 2>&1 || ! command -v ninja >/dev/null 2>&1; then
    missing=("$@")
  fi
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    say "this needs the following packages (Debian's names); install them and try again:"
    say "  ${missing[*]}"
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      say "not root and no sudo; as root: apt-get install ${missing[*]}"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  if ! { "${as_root[@]}" apt-get update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "${missing[@]}"; } </dev/null >&2; then
    say "could not install them"
    exit 1
  fi
}

# quietly WHAT COMMAND...: runs it, shows its output only if it fails.
quietly() {
  local what=$1 log status=0
  shift
  log=$(mktemp)
  "$@" </dev/null >"$log" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    cat "$log" >&2
    say "$what failed"
  fi
  rm -f "$log"
  return $status
}

# configure PRESET OPTION...: unless the build tree already stands with these options.
configure() {
  local preset=$1 tree="$top/build/$1" stamp
  shift
  stamp="$* $(cksum <"$top/CMakePresets.json")"
  if [ -f "$tree/build.ninja" ] && [ "$(cat "$tree/.options" 2>/dev/null)" = "$stamp" ]; then
    return 0
  fi
  say "configuring ($preset)"
  (cd "$top" && quietly "configuring" cmake --preset "$preset" "$@") || exit 1
  printf '%s' "$stamp" >"$tree/.options"
}

# build_target PRESET TARGET: says so only if it takes longer than a look at what there is to do.
build_target() {
  local tree="$top/build/$1" target=$2 note status=0
  (
    sleep 1 </dev/null >/dev/null 2>&1
    say "building $target ($1; the first time takes some minutes)"
  ) >/dev/null &
  note=$!
  quietly "building $target" ninja -C "$tree" "$target" || status=1
  kill "$note" 2>/dev/null || true
  wait "$note" 2>/dev/null || true
  [ $status -eq 0 ] || exit 1
}

# interpreter PRESET: the Python that the package is built for, whichever comes first on the PATH.
interpreter() { sed -n 's/^CAROM_PYTHON_EXECUTABLE:[^=]*=//p' "$top/build/$1/CMakeCache.txt"; }

# build_python PRESET: the package, once more configured where pybind11 came after the tree.
build_python() {
  local tree="$top/build/$1"
  if ! ninja -C "$tree" -t query carom_python >/dev/null 2>&1; then
    quietly "configuring" cmake "$tree" || exit 1
  fi
  build_target "$1" carom_python
}
