#!/bin/sh
# Shows the comparison (PM_MARKDOWN, PM_CHANGED) in the step summary and, for a
# pull request, as one comment that is found again by its first line and
# updated in place. What cannot be written there is a warning and no error: the
# summary has it all. Output: comment (its id).
. "${0%/*}/common.sh"

markdown=${PM_MARKDOWN:?}
changed=${PM_CHANGED:?}
summary=${GITHUB_STEP_SUMMARY:?}
{
	cat "$markdown"
	echo
} >>"$summary"

case ${GITHUB_EVENT_NAME:?} in
pull_request | pull_request_target) ;;
*) exit 0 ;;
esac
[ "${PM_COMMENT:-true}" = true ] || exit 0
need jq 'the event cannot be read without it'
need curl 'comments cannot be written without it'
event=${GITHUB_EVENT_PATH:?}

# told says in the log and in the summary why there is no comment.
told() {
	warning "$1"
	printf '%s\n\n' "$1" >>"$summary"
	exit 0
}

number=$(jq -r '.pull_request.number // empty | numbers | floor' "$event")
case $number in
'' | *[!0-9]*) fail "the event $event names no pull request" ;;
esac
# A token for a fork's pull request can only read. (The head of a deleted fork
# is null.) With pull_request_target the token is the base's.
if [ "$GITHUB_EVENT_NAME" = pull_request ] &&
	[ "$(jq '(.pull_request.head.repo.full_name // "") == .pull_request.base.repo.full_name' "$event")" != true ]; then
	notice 'This pull request comes from a fork, whose token may not comment: the map changes are in the summary of this job only.'
	printf 'This pull request comes from a fork, whose token may not comment: the changes are shown here only.\n\n' >>"$summary"
	exit 0
fi
[ -n "${PM_TOKEN:-}" ] || told 'There is no token to comment with: the changes are shown here only.'

key=${PM_COMMENT_KEY:-}
case $key in
*[!A-Za-z0-9._-]*) fail 'comment-key: letters, digits, ".", "_" and "-" only' ;;
esac
marker="<!-- project-map: map changes${key:+ of $key} -->"
author=${PM_COMMENT_AUTHOR:-github-actions[bot]}
api=${GITHUB_API_URL:-https://api.github.com}/repos/${GITHUB_REPOSITORY:?}/issues

secret=$work/headers
trap 'rm -f "$secret"' EXIT
# A file, as the arguments of a process can be seen by others.
(umask 077 && printf 'Authorization: Bearer %s\nAccept: application/vnd.github+json\nX-GitHub-Api-Version: 2022-11-28\n' "$PM_TOKEN" >"$secret")
reply=$work/reply.json
head=$work/reply.head

header() { tr -d '\r' <"$head" | awk -F ': *' -v n="$1" 'tolower($1) == n { v = $2 } END { print v }'; }

# call METHOD URL [FILE] sets status, and tries again where waiting helps.
call() {
	for attempt in 1 2 3; do
		: >"$head"
		: >"$reply"
		status=$(curl --silent --show-error --connect-timeout 20 --max-time 60 --request "$1" --header "@$secret" \
			${3+--header 'Content-Type: application/json'} ${3+--data-binary "@$3"} \
			--dump-header "$head" --output "$reply" --write-out '%{http_code}' "$2") || status=000
		wait=$((attempt * ${PM_RETRY_DELAY:-2}))
		case $status in
		000 | 5??) ;;
		403 | 429)
			after=$(header retry-after)
			case $after in
			'' | *[!0-9]*) [ "$status" = 429 ] || return 0 ;;
			*)
				[ "$after" -le 60 ] || return 0
				wait=$after
				;;
			esac
			;;
		*) return 0 ;;
		esac
		# A comment that may have been written is not written twice.
		if [ "$1" = POST ] && [ "$status" != 429 ] && [ "$status" != 403 ]; then
			return 0
		fi
		[ "$attempt" = 3 ] || sleep "$wait"
	done
}

# refused says what an answer means that is none.
refused() {
	message=$(jq -r '.message // empty | strings' "$reply" 2>/dev/null | tr -d '\000-\037`<>' | head -c 200) || message=
	why="HTTP $status${message:+ ($message)}"
	case $status in
	000) why='the forge does not answer' ;;
	403 | 429)
		if [ "$(header x-ratelimit-remaining)" = 0 ] || [ "$status" = 429 ]; then
			why="the rate limit is used up ($why)"
		else
			why="the token may not comment: the job needs \"pull-requests: write\" ($why)"
		fi
		;;
	404) why="the token does not see the pull request: the job needs \"pull-requests: write\" ($why)" ;;
	esac
	told "The comment with the map changes was not $1: $why."
}

# The comment that is ours begins with the marker and was written by us, so
# that nobody else's is overwritten.
id=
page=1
while :; do
	call GET "$api/$number/comments?per_page=100&page=$page"
	[ "$status" = 200 ] || refused 'looked for'
	count=$(jq 'arrays | length' "$reply" 2>/dev/null) || count=
	[ -n "$count" ] || told 'The comment with the map changes was not looked for: the answer of the forge is no list.'
	jq --arg m "$marker" --arg a "$author" \
		'first(.[] | select((.body // "" | gsub("\r"; "") | split("\n")[0]) == $m and .user.login == $a))' "$reply" >"$work/found.json"
	if [ -s "$work/found.json" ]; then
		id=$(jq -r '.id | numbers | floor' "$work/found.json")
		break
	fi
	if [ "$count" -lt 100 ] || [ "$page" -ge 100 ]; then
		break
	fi
	page=$((page + 1))
done
case $id in
*[!0-9]*) told 'The comment with the map changes was not found: its id is no number.' ;;
esac

body=$work/comment.md
{
	printf '%s\n' "$marker"
	if [ "$changed" = true ]; then
		cat "$markdown"
	else
		echo 'No map changes any more.'
	fi
} >"$body"
jq -n --rawfile body "$body" '{body: $body}' >"$work/comment.json"

if [ -z "$id" ]; then
	[ "$changed" = true ] || exit 0
	call POST "$api/$number/comments" "$work/comment.json"
	[ "$status" = 201 ] || refused written
	id=$(jq -r '.id | numbers | floor' "$reply")
elif jq -e --slurpfile new "$work/comment.json" '(.body | gsub("\r"; "") | rtrimstr("\n")) == ($new[0].body | rtrimstr("\n"))' "$work/found.json" >/dev/null; then
	echo 'The comment is up to date.'
else
	call PATCH "$api/comments/$id" "$work/comment.json"
	[ "$status" = 200 ] || refused updated
fi
output comment "$id"
