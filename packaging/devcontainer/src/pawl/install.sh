#!/bin/sh
# Installs a release of Pawl: downloads its archive, compares the checksum, and puts the
# programs, man pages and completions below a folder. The feature for development
# containers and the GitHub action run it.
#
#   VERSION        0.1.0, or latest (default)
#   PREFIX         the folder; /usr/local by default
#   PAWL_RELEASES  where releases are; GitHub by default
set -eu

version=${VERSION:-latest}
prefix=${PREFIX:-/usr/local}
releases=${PAWL_RELEASES:-https://github.com/pawl-dev/pawl/releases}

fail() {
  echo "pawl: $1" >&2
  [ $# -lt 2 ] || echo "pawl: hint: $2" >&2
  exit 1
}

version=${version#v}
case $version in
  *[!0-9A-Za-z.+-]* | '' | -*) fail "\"$version\" is not a version" "0.1.0, or latest" ;;
  latest) from=$releases/latest/download ;;
  *) from=$releases/download/v$version ;;
esac

case $(uname -s) in
  Linux) os=linux kind=tar.gz ;;
  Darwin) os=darwin kind=tar.gz ;;
  MINGW* | MSYS* | CYGWIN*) os=windows kind=zip ;;
  *) fail "no release for $(uname -s)" "go install github.com/pawl-dev/pawl/cmd/pawl@latest" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "no release for $(uname -m)" "go install github.com/pawl-dev/pawl/cmd/pawl@latest" ;;
esac

# A small image may have neither.
if ! command -v curl >/dev/null && ! command -v wget >/dev/null; then
  if command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends curl ca-certificates >/dev/null
  elif command -v apk >/dev/null; then
    apk add --no-cache --quiet curl ca-certificates
  elif command -v dnf >/dev/null; then
    dnf install -y -q curl ca-certificates
  else
    fail "neither curl nor wget is installed" "install one of them"
  fi
fi

get() { # URL FILE
  if command -v curl >/dev/null; then
    curl -fsSL --retry 3 -o "$2" "$1"
  else
    wget -q -O "$2" "$1"
  fi || fail "cannot download $1" "does this release exist, and is the network there?"
}

sum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

get "$from/checksums.txt" "$work/checksums.txt"
line=$(grep "[ *]pawl_[^/]*_${os}_$arch\.$kind\$" "$work/checksums.txt" | head -n 1)
[ -n "$line" ] || fail "the release has nothing for $os/$arch"
file=${line##*[ *]}
get "$from/$file" "$work/$file"
[ "$(sum "$work/$file")" = "${line%% *}" ] || fail "the checksum of $file is not that of the release: nothing was installed"

mkdir "$work/pawl"
if [ "$kind" = zip ]; then
  unzip -q "$work/$file" -d "$work/pawl"
else
  tar -xzf "$work/$file" -C "$work/pawl"
fi

put() { # MODE FILE FOLDER [NAME]
  mkdir -p "$prefix/$3"
  cp "$work/pawl/$2" "$prefix/$3/${4:-$(basename "$2")}.new"
  chmod "$1" "$prefix/$3/${4:-$(basename "$2")}.new"
  mv "$prefix/$3/${4:-$(basename "$2")}.new" "$prefix/$3/${4:-$(basename "$2")}" # a running pawl keeps its file
}

if [ "$os" = windows ]; then
  put 755 pawl.exe bin
  put 755 pawl-server.exe bin
else
  put 755 pawl bin
  put 755 pawl-server bin
  for page in "$work/pawl/man/"*.1; do put 644 "man/$(basename "$page")" share/man/man1; done
  put 644 completions/pawl.bash share/bash-completion/completions pawl
  put 644 completions/_pawl share/zsh/site-functions
  put 644 completions/pawl.fish share/fish/vendor_completions.d
fi
"$prefix/bin/pawl" version
