# Brings the maps of what is being committed up to date and stages exactly
# those that changed. Written by "project-map init hooks".
project_map_stage() {
	if ! command -v project-map >/dev/null 2>&1; then
		echo "project-map is not on PATH: the maps of this commit were not checked" >&2
		return 0
	fi
	pm_list=$(git rev-parse --git-path "project-map-stage.$$") || return 1
	if project-map hook --stage-list >"$pm_list"; then
		git update-index --add --remove -z --stdin <"$pm_list"
	else
		false
	fi
	pm_status=$?
	# A merge that needs no help has its tree already when git calls the hook.
	if [ "$pm_status" = 0 ] && [ "${0##*/}" = pre-merge-commit ] && [ -s "$pm_list" ]; then
		echo "project-map: the maps of this merge are staged; end it with: git commit --no-edit" >&2
		pm_status=1
	fi
	rm -f -- "$pm_list"
	return "$pm_status"
}
project_map_stage || exit 1
