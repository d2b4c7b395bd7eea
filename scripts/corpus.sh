#!/bin/sh
# corpus.sh FILE: writes a text that every Debian machine has, the licences in /usr/share/common-licenses, as one file.
set -eu
directory=/usr/share/common-licenses
if [ ! -d "$directory" ]; then
    echo "corpus.sh: there is no $directory here; give a text of your own: DATA=FILE scripts/run" >&2
    exit 2
fi
mkdir -p "$(dirname "$1")"
# Symbolic links are skipped: they are second names of the same texts.
find "$directory" -type f | LC_ALL=C sort | xargs cat > "$1.new"
mv "$1.new" "$1"
