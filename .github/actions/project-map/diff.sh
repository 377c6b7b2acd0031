#!/bin/sh
# Compares the maps of the commit with those it started from: the merge base of
# a pull request, the state before a push. Outputs: base ("" where there is
# none), changed, markdown and json (files).
. "${0%/*}/common.sh"

need jq 'the event cannot be read without it'
repo=${PM_REPO:-.}
event=${GITHUB_EVENT_PATH:?}
none() {
	printf '%s: no comparison.\n' "$1"
	output base ''
	output changed ''
	exit 0
}
case ${GITHUB_EVENT_NAME:?} in
pull_request | pull_request_target) path=.pull_request.base.sha ;;
merge_group) path=.merge_group.base_sha ;;
push) path=.before ;;
*) none "the event $GITHUB_EVENT_NAME starts from no commit" ;;
esac
sha=$(jq -r "$path // empty | strings" "$event") || fail "the event $event is no JSON"
is_commit "$sha" || none 'the event names no commit to start from'
case $sha in
*[!0]*) ;;
*) none 'the branch is new' ;;
esac
if ! git -C "$repo" cat-file -e "$sha^{commit}" 2>/dev/null; then
	# After a forced push nothing leads to the old state any more.
	git -C "$repo" fetch --quiet --no-tags origin "$sha" >/dev/null 2>&1 || true
fi
if ! base=$(git -C "$repo" merge-base "$sha" HEAD 2>/dev/null); then
	warning "There is no common ancestor of $sha and the checked-out commit here, so there is no comparison. Give actions/checkout fetch-depth: 0."
	none "$sha is out of reach"
fi

short() { git -C "$repo" rev-parse --short=12 "$1"; }
from=$(short "$base")
to=$(short HEAD)
json=$work/diff.json
markdown=$work/diff.md
project_map --format json diff "$from" "$to" >"$json" || fail 'the maps could not be compared; the message is above'
# A comment holds 65,536 characters, and some are added to it.
for limit in 80 40 20 10 5; do
	project_map --format markdown diff --limit "$limit" "$from" "$to" >"$markdown"
	[ "$(wc -c <"$markdown")" -gt 60000 ] || break
done
if [ "$(wc -c <"$markdown")" -gt 60000 ]; then
	# shellcheck disable=SC2016 # the backticks are Markdown
	printf '## Map changes from `%s` to `%s`\n\nToo many to list here: `project-map diff %s %s`\n' "$from" "$to" "$from" "$to" >"$markdown"
fi
output base "$base"
output markdown "$markdown"
output json "$json"
output changed "$(jq '[.directories, .files, .dependencies, .notCompared] | map(length) | add > 0' "$json")"
