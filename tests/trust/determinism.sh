#!/usr/bin/env bash
# The same bytes from every build: compares the golden digests of every node and recipe between
# compilers, optimisation levels and processors.
#
#   tests/trust/determinism.sh [--recipes] [BUILD...]        without names: all of the table below
#
# Nodes only, unless --recipes asks for all of graphs/, for other settings of nodes, and for what
# reads and writes files, too (minutes each under an emulator, an hour of graphs/).
# Needs the packages of .ci/packages.checks, .ci/install arm64 for that processor, and .ci/install
# windows for that system, whose programs run under wine; its libraries are built first. s390x, a
# big-endian processor, and musl, another C library, run when they are named; they need a folder
# that sysroot.sh makes, in THALWEG_SYSROOT_S390X and THALWEG_SYSROOT_MUSL. A build that differs
# prints the first nodes whose digests do. Reports one line a build; the exit code is 1 when any
# differs, 2 when one cannot be built.
set -uo pipefail
cd "$(dirname "$0")/../.."

# name, and what CMake is given
builds=(
  "gcc-O0:-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug"
  "gcc-O1:-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1"
  "gcc-O2:-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O2"
  "gcc-O3:-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O3"
  "gcc-O3-native:-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O3\ -march=native"
  "clang-O0:-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug"
  "clang-O1:-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1"
  "clang-O2:-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O2"
  "clang-O3:-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O3"
  "clang-O3-native:-DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O3\ -march=native"
  "gcc-unsigned-char:-DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-funsigned-char"
  "aarch64:arm64"
  "windows:windows"
)
on_demand=("s390x:s390x" "musl:musl")

# every format in both directions, sidecars, and numbers in cache entries, which are little-endian
files="test.engine.base.byte_order test.engine.base.digest test.engine.format.assets"
files+=" test.engine.format.codec test.engine.format.codec_bmp test.engine.format.codec_gis"
files+=" test.engine.format.format test.engine.format.format_digest"

# Debian's libraries for another processor, run by qemu-user.
cross() { # Debian's name of the architecture, GNU's name
  cat <<END
-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=$2 -DCMAKE_C_COMPILER=$2-linux-gnu-gcc
-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-$2 -DCMAKE_BUILD_TYPE=Release
END
}
require() { # Debian's name, GNU's name
  command -v "$2-linux-gnu-gcc" >/dev/null && command -v "qemu-$2" >/dev/null &&
    [ -e "/usr/lib/$2-linux-gnu/libyaml.so" ] && return
  echo "  libraries or tools are missing: .ci/install $1" >&2
  return 1
}

require_wine() {
  command -v x86_64-w64-mingw32-gcc-posix >/dev/null && command -v wine >/dev/null && return
  echo "  there is no wine, or no compiler for Windows: .ci/install windows" >&2
  return 1
}

require_sysroot() { # variable, compiler, file in the folder
  command -v "$2" >/dev/null && [ -n "${!1:-}" ] && [ -e "${!1}/$3" ] && return
  echo "  expected $2, and in $1 a folder that tests/trust/sysroot.sh made" >&2
  return 1
}
only_from() { # sysroot
  echo "-DCMAKE_FIND_ROOT_PATH=$1 -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY"
}

# On Windows, where no links lead to the tests of a folder's program, it takes their names.
run_test() { # folder, command in front of the program, test
  local programs=$1/tests
  if [ -e "$programs/$3.exe" ]; then
    $2 "$programs/$3.exe"
  elif [ -e "$programs/programs/${3%.*}.exe" ]; then
    $2 "$programs/programs/${3%.*}.exe" "$3"
  else
    $2 "$programs/$3"
  fi
}

digests() { # folder, command in front of the programs
  local failed=0
  THALWEG_TEST=outputs_change_only_with_versions run_test "$1" "$2" test.contract 2>&1 || failed=1
  for test in $recipes; do
    run_test "$1" "$2" "$test" 2>&1 || failed=1
  done
  return $failed
}

run_build() { # name, arguments
  local folder="build/trust-$1" arguments=$2 emulator="" log="build/trust-$1.log"
  case $2 in
    arm64) require arm64 aarch64 || return 2
      arguments=$(cross arm64 aarch64) emulator=qemu-aarch64
      export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig ;;
    windows) require_wine || return 2
      mkdir -p build
      .ci/windows/dependencies >"$log" 2>&1 || {
        echo "  cannot build its libraries: see $log" >&2
        return 2
      }
      arguments="-DCMAKE_TOOLCHAIN_FILE=$PWD/.ci/windows/toolchain.cmake -DCMAKE_BUILD_TYPE=Release" emulator=wine
      export WINEPREFIX=$PWD/build/windows/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= ;;
    s390x) require_sysroot THALWEG_SYSROOT_S390X s390x-linux-gnu-gcc usr/lib/s390x-linux-gnu/libyaml.so || return 2
      export PKG_CONFIG_SYSROOT_DIR=$THALWEG_SYSROOT_S390X
      export PKG_CONFIG_LIBDIR=$THALWEG_SYSROOT_S390X/usr/lib/s390x-linux-gnu/pkgconfig
      arguments="$(cross s390x s390x) -DCMAKE_SYSROOT=$THALWEG_SYSROOT_S390X $(only_from "$THALWEG_SYSROOT_S390X")"
      emulator="qemu-s390x -L $THALWEG_SYSROOT_S390X" ;;
    musl) require_sysroot THALWEG_SYSROOT_MUSL musl-gcc lib/libcrypto.a || return 2
      export PKG_CONFIG_LIBDIR=$THALWEG_SYSROOT_MUSL/lib/pkgconfig
      arguments="-DCMAKE_C_COMPILER=musl-gcc -DCMAKE_C_FLAGS=-I$THALWEG_SYSROOT_MUSL/include"
      arguments+=" -DCMAKE_BUILD_TYPE=Release $(only_from "$THALWEG_SYSROOT_MUSL")" ;;
  esac
  mkdir -p build
  eval "cmake -S . -B $folder -G Ninja $(echo $arguments)" >"$log" 2>&1 &&
    cmake --build "$folder" --target test.contract $recipes >>"$log" 2>&1 || {
    echo "  cannot build it: see $log" >&2
    return 2
  }
  digests "$folder" "$emulator" >>"$log" && return
  grep -E '^not in tests/golden|ERROR|FAILED' "$log" | head -5
  return 1
}

code=0 recipes=""
[ "${1:-}" != --recipes ] || { recipes="$files test.settings test.extremes test.combinations test.recipes" && shift; }
[ $# -eq 0 ] || builds+=("${on_demand[@]}")
for row in "${builds[@]}"; do
  name=${row%%:*}
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  (run_build "$name" "${row#*:}")
  case $? in
    0) echo "$name: same bytes" ;;
    1) echo "$name: OTHER BYTES" && code=1 ;;
    *) echo "$name: not built" && [ $code -ne 0 ] || code=2 ;;
  esac
done
exit $code
