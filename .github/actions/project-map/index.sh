#!/bin/sh
# Writes maps and store of the commit into a directory beside the fact cache,
# starting from what an earlier run left in both, then validates committed maps
# (PM_VALIDATE: auto, true, false). The work tree stays as it is. Outputs: maps,
# fresh.
. "${0%/*}/common.sh"

kept >"$work/kept-before"
maps=${PM_MAPS:?}
if ! project_map --quiet index --out "$maps"; then
	[ -e "$maps" ] || fail 'the repository could not be indexed; the message is above'
	# Whatever is wrong with what was kept, it is not needed.
	echo 'Starting afresh.'
	rm -rf "$maps" "${PM_FACTS:?}"
	project_map --quiet index --out "$maps" || fail 'the repository could not be indexed; the message is above'
fi
output maps "$(cd "$maps" && pwd -P)"

validate=${PM_VALIDATE:-auto}
[ "$validate" != auto ] || validate=${PM_COMMITTED:?}
case $validate in
false)
	output fresh ''
	exit 0
	;;
true) ;;
*) fail "validate: give auto, true or false, not $validate" ;;
esac

status=0
project_map --no-color validate >"$work/validation" || status=$?
cat "$work/validation"
case $status in
0) output fresh true ;;
1)
	output fresh false
	# shellcheck disable=SC2016 # the backticks are Markdown
	{
		printf '## Maps that are not fresh\n\n'
		# Names come from the repository: an indented block shows them as they are.
		head -c 20000 "$work/validation" | sed 's/^/    /'
		printf '\n\nRun `project-map index` and commit the maps.\n'
	} >>"${GITHUB_STEP_SUMMARY:?}"
	;;
*) fail 'the maps could not be validated; the message is above' ;;
esac
