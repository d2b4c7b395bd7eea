#!/bin/sh
# needs.sh [test]: installs missing Debian packages that are needed to build (and test) Place.
# Says which and why, and asks nothing. Without permission to install it prints the command to run, and stops.
set -eu

# package, a file that exists if it is installed, its purpose
needs() {
    cat <<'TABLE'
gcc              /usr/bin/gcc                        compiles placec, the runtime and emitted programs
libc6-dev        /usr/include/stdio.h                C library headers
make             /usr/bin/make                       runs the build
flex             /usr/bin/flex                       generates the scanner
bison            /usr/bin/bison                      generates the parser
libcjson-dev     /usr/include/cjson/cJSON.h          plans, logs and checkpoint headers
llvm-19-dev      /usr/bin/llvm-config-19             generates kernels
openmpi-bin      /usr/bin/mpirun.openmpi             starts the ranks
libopenmpi-dev   /usr/bin/mpicc.openmpi              communication between ranks
libdnnl-dev      /usr/include/dnnl.h                 f32 and bf16 matrix products, convolutions
libopenblas-dev  /usr/share/doc/libopenblas-dev      f64 matrix products
TABLE
    if [ "${1:-}" = test ]; then
        cat <<'TABLE'
libcmocka-dev    /usr/include/cmocka.h               unit tests
clang-format-14  /usr/bin/clang-format-14            the style of emitted C
locales          /usr/share/i18n/charmaps/UTF-8.gz  a decimal comma for a caller of the library
iproute2         /usr/sbin/ip                        hosts in network namespaces
pkg-config       /usr/bin/pkg-config                 links a caller of the installed library
TABLE
    fi
}

missing=
while read -r package file why; do
    [ -e "$file" ] && continue
    printf 'missing: %-16s %s\n' "$package" "$why"
    missing="$missing $package"
done <<TABLE
$(needs "${1:-}")
TABLE
[ -n "$missing" ] || exit 0

if [ ! -e /usr/bin/apt-get ]; then
    echo "This is no Debian system: install what the list above names, then run this again." >&2
    exit 2
fi
command="apt-get update && apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    run=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    run='sudo -n'
else
    echo "Installing needs root. Run this once, then try again:" >&2
    echo "    su -c '$command'" >&2
    exit 2
fi
echo "installing with apt-get:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
if ! { $run apt-get update && $run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "The installation failed; the command was: $command" >&2
    exit 2
fi
