#!/bin/sh
# fresh.sh [DIRECTORY]: proves the README's promise. Makes a minimal Debian 12 root, puts a clean checkout of HEAD into it,
# and runs both commands there: `scripts/run`, then `scripts/test`. Needs root and debootstrap; takes a while. Ends with
# one line: N passed, N failed, N skipped.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
root=${1:-$(mktemp -d /var/tmp/place-fresh.XXXXXX)}

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
    echo "SKIP fresh: making a Debian root needs root and the package debootstrap"
    echo "0 passed, 0 failed, 2 skipped"
    exit 0
fi

leave() {
    for mounted in sys proc dev/shm dev; do
        umount "$root/$mounted" 2>/dev/null || true
    done
    [ $# -gt 0 ] || rm -rf "$root"
}
trap leave EXIT
trap 'exit 130' INT TERM

[ -x "$root/bin/sh" ] || debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$root.log" 2>&1 ||
    { tail "$root.log"; exit 2; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys" # where MPI looks for cores
mount --rbind /dev "$root/dev" 2>/dev/null || mount --bind /dev "$root/dev"
mkdir -p "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# What this machine needs to reach its package mirror (proxies, certificates) the new one needs too.
for file in /etc/hosts /etc/apt/apt.conf.d/*proxy*; do
    [ -e "$file" ] && cp "$file" "$root$file"
done
rm -rf "$root/place"
mkdir "$root/place"
git -C "$here" archive HEAD | tar -x -C "$root/place"

passed=0 failed=0
for command in run test; do
    echo "== scripts/$command in a fresh Debian root"
    start=$(date +%s)
    if chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true sh /place/scripts/$command \
        </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    echo "== scripts/$command took $(($(date +%s) - start)) s"
done
printf '%s passed, %s failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
