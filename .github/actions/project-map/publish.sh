#!/bin/sh
# Packs maps and store of the commit, signs the archive where PM_KEY holds a
# minisign secret key, and pushes it where PM_OCI names a repository. Outputs:
# archive, digest, signature.
. "${0%/*}/common.sh"

commit=${PM_COMMIT:?}
trap 'rm -f "$work/minisign.key"' EXIT
archive=$work/project-map-$commit.tar.zst
if [ -n "${PM_KEY:-}" ]; then
	key=$work/minisign.key
	(umask 077 && printf '%s\n' "$PM_KEY" >"$key")
	PROJECT_MAP_KEY_PASSWORD=${PM_KEY_PASSWORD:-}
	export PROJECT_MAP_KEY_PASSWORD
	set -- --key "$key"
else
	set --
fi
if [ -n "${PM_OCI:-}" ]; then
	case ${GITHUB_EVENT_NAME:-} in
	pull_request*) echo 'Archives of pull requests are not pushed.' ;;
	*)
		to=${PM_OCI#oci://}
		if [ -n "${PM_OCI_PASSWORD:-}" ]; then
			PROJECT_MAP_REGISTRY=${to%%/*} PROJECT_MAP_REGISTRY_USER=${PM_OCI_USER:?} PROJECT_MAP_REGISTRY_PASSWORD=$PM_OCI_PASSWORD
			export PROJECT_MAP_REGISTRY PROJECT_MAP_REGISTRY_USER PROJECT_MAP_REGISTRY_PASSWORD
		fi
		set -- "$@" --push "oci://$to"
		;;
	esac
fi
project_map publish --rev "$commit" --out "$archive" "$@" || fail 'the archive could not be made or pushed; the message is above'
output archive "$archive"
output digest "sha256:$(sha256 "$archive")"
if [ -f "$archive.minisig" ]; then
	output signature "$archive.minisig"
fi
