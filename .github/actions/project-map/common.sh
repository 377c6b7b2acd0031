# shellcheck shell=sh
# Shared by the scripts of the action; read with ". common.sh".
set -eu
LC_ALL=C
export LC_ALL

# escaped prints a text as the message of a workflow command.
escaped() {
	printf '%s' "$1" | tr -d '\000-\011\013-\037' | sed 's/%/%25/g' | awk 'NR > 1 { printf "%%0A" } { printf "%s", $0 }'
}
notice() { printf '::notice title=project-map::%s\n' "$(escaped "$1")"; }
warning() { printf '::warning title=project-map::%s\n' "$(escaped "$1")"; }
fail() {
	printf '::error title=project-map::%s\n' "$(escaped "$1")"
	exit 1
}

# output NAME VALUE sets an output of the step. A value with a line end would
# set others, too.
output() {
	case $2 in
	*"
"*) fail "the output $1 has more than one line" ;;
	esac
	printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:?}"
}

need() {
	command -v "$1" >/dev/null 2>&1 || fail "$1 is not installed on this runner, and $2"
}

# work is a directory of this action alone, emptied with the job.
work=${RUNNER_TEMP:?}/project-map
mkdir -p "$work"

sha256() {
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum "$1" | cut -d ' ' -f 1
	else
		shasum -a 256 "$1" | cut -d ' ' -f 1
	fi
}

# project_map runs the program on the repository that is looked at.
project_map() {
	"${PM_BIN:?}" --repo "${PM_REPO:-.}" "$@"
}

# kept prints a digest of what is worth keeping for the next run: the fact cache,
# by the names of its files, which follow from their content, and the store.
kept() {
	{
		find "${PM_FACTS:?}" -name '*.facts' 2>/dev/null | sed 's|.*/||' | sort
		cat "${PM_MAPS:?}/.project-map/current" 2>/dev/null || true
	} >"$work/kept"
	sha256 "$work/kept"
}

# is_hash tells whether all of a text, line ends included, is a hash of a length.
is_hash() {
	case $1 in
	'' | *[!0-9a-f]*) return 1 ;;
	esac
	[ "${#1}" = "$2" ]
}

# is_commit tells the same for the full id of a commit.
is_commit() { is_hash "$1" 40 || is_hash "$1" 64; }
