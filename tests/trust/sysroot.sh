#!/usr/bin/env bash
# Makes a folder with the libraries of .ci/packages for another machine, for determinism.sh:
#
#   tests/trust/sysroot.sh s390x FOLDER     Debian's packages for that processor, unpacked, and those
#                                           of .ci/packages.formats
#   tests/trust/sysroot.sh musl FOLDER      Debian's sources of them, built with musl-gcc (minutes)
#
# Nothing of the system changes: apt keeps its lists and what it downloads in FOLDER/apt. Needs, for
# s390x, gcc-s390x-linux-gnu and qemu-user; for musl, musl-tools, dpkg-dev, autoconf, automake and
# libtool.
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# \{0,1\}//; 2,11p' "$0" >&2 && exit 2; }
ci=$(cd "$(dirname "$0")/../../.ci" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
apt=$folder/apt
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
options=(-q -o "Dir::State=$apt/state" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache")
read -ra packages <<<"$(grep -h -- '-dev$' "$ci/packages" "$ci/packages.formats" | tr '\n' ' ')"

unpack_packages() { # Debian's name of the processor
  options+=(-o "APT::Architecture=$1" -o "APT::Architectures=$1")
  : >"$apt/status" # nothing is installed
  apt-get "${options[@]}" update
  apt-get "${options[@]}" install -y --download-only --no-install-recommends "${packages[@]}"
  for package in "$apt"/cache/archives/*.deb; do
    dpkg -x "$package" "$folder"
  done
}

# What packages are built from, one folder each; zlib is what libpng needs.
fetch_sources() {
  "$ci/sources" "$folder/src" libyaml libpng1.6 zlib libuv1 xxhash jansson openssl cmocka
  cd "$folder/src"
}

build_with_configure() { # folder
  (cd "$1" && { [ -x configure ] || if [ -e autogen.sh ]; then sh autogen.sh; else autoreconf -fi; fi; } &&
    ./configure --prefix="$folder" --disable-shared --host=x86_64-linux-musl && make && make install)
}

build_sources() {
  export CC=musl-gcc CFLAGS="-O2 -fPIC -I$folder/include" CPPFLAGS=-I$folder/include LDFLAGS=-L$folder/lib
  export PKG_CONFIG_LIBDIR=$folder/lib/pkgconfig MAKEFLAGS=-j$(nproc)
  unset CMAKE_C_COMPILER_LAUNCHER
  mkdir -p "$folder/include" "$folder/lib/pkgconfig"
  # the kernel's headers, which belong to no C library
  ln -sfn /usr/include/linux /usr/include/asm-generic "$folder/include"
  ln -sfn "/usr/include/$(gcc -print-multiarch)/asm" "$folder/include/asm"
  (cd zlib && ./configure --prefix="$folder" --static && make libz.a && make install)
  for name in libyaml libpng1.6 jansson libuv1; do
    build_with_configure "$name"
  done
  sed -i 's/^Libs:.*-lpng16/& -lz/' "$folder/lib/pkgconfig/libpng16.pc" # no shared library says it
  (cd xxhash && make libxxhash.a && cp libxxhash.a "$folder/lib" && cp xxhash.h "$folder/include" &&
    printf 'Name: xxhash\nDescription: XXH3\nVersion: 0\nLibs: -L%s -lxxhash\nCflags: -I%s\n' \
      "$folder/lib" "$folder/include" >"$folder/lib/pkgconfig/libxxhash.pc")
  cmake -S cmocka -B cmocka/out -DCMAKE_INSTALL_PREFIX="$folder" -DWITH_STATIC_LIB=ON \
    -DBUILD_SHARED_LIBS=OFF -DWITH_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=Release &&
    make -C cmocka/out install
  # musl has no makecontext()
  (cd openssl && ./Configure linux-x86_64 --prefix="$folder" --libdir=lib no-shared no-tests no-async \
    no-engine no-dso no-legacy && make build_libs && make install_dev)
}

case $1 in
  s390x) unpack_packages s390x ;;
  musl) fetch_sources && build_sources ;;
  *) echo "expected s390x or musl, not $1" >&2 && exit 2 ;;
esac
