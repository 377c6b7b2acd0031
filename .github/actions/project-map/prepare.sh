#!/bin/sh
# Looks at the repository and the program. Outputs: commit, facts (the fact
# cache) and maps (where maps and store are written), cache-prefix, version,
# committed (are there maps in the commit?).
. "${0%/*}/common.sh"

repo=${PM_REPO:-.}
"${PM_BIN:?}" version >"$work/version" || fail "$PM_BIN does not run on this runner"
cat "$work/version"
dirname "$PM_BIN" >>"${GITHUB_PATH:?}"

git -C "$repo" rev-parse --git-dir >/dev/null || fail "repo: $repo is no checkout; run actions/checkout first"
if [ "$(git -C "$repo" rev-parse --is-shallow-repository)" = true ]; then
	# The archive of a shallow clone differs from that of a full one, ranking
	# learns from the past, and a merge base may lie behind the edge.
	if git -C "$repo" fetch --quiet --unshallow --no-tags >/dev/null 2>&1; then
		echo 'The clone was shallow; the rest of the past was fetched.'
	else
		warning 'This clone is shallow: the past is missing from the store, and so may be the commit that a pull request is compared with. Give actions/checkout fetch-depth: 0.'
	fi
fi

common=$(cd "$repo" && cd "$(git rev-parse --git-common-dir)" && pwd -P)
workspace=$(cd "${GITHUB_WORKSPACE:-.}" && pwd -P)
# Paths are a part of a cache's identity: without the workspace it is the same
# on every runner.
kept=${common#"$workspace"/}/project-map
output facts "$kept/facts"
output maps "$kept/ci"
output commit "$(git -C "$repo" rev-parse --verify --quiet 'HEAD^{commit}')"
version=$("$PM_BIN" --format json version | sed -n 's/^ *"version": "\([0-9A-Za-z.+-]*\)".*/\1/p')
output version "$version"
# An older version does not overwrite maps of a newer one.
output cache-prefix "project-map-$version-${RUNNER_OS:-$(uname -s)}-${PM_KEY_PART:-}-"
if [ -n "$(git -C "$repo" ls-tree -r --name-only HEAD | grep -E '(^|/)\.pi-map\.index\.md"?$' | head -n 1)" ]; then
	output committed true
else
	output committed false
fi
