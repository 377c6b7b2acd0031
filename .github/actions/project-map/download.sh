#!/bin/sh
# Gets the program: one that is there (PM_PROGRAM), a release for this platform
# (PM_VERSION, or the release that the action's ref is), or says that it has to
# be built. Outputs: bin, and build=true in the last case.
. "${0%/*}/common.sh"

version=${PM_VERSION:-}
ref=${PM_REF:-}
source=${PM_SOURCE:?}
repository=${PM_REPOSITORY:-https://github.com/project-map/project-map}
releases=${PM_RELEASES:-$repository/releases/download}
bin=$work/bin
mkdir -p "$bin"

if [ -n "${PM_PROGRAM:-}" ]; then
	[ -x "$PM_PROGRAM" ] || fail "program: $PM_PROGRAM is not a program"
	output bin "$PM_PROGRAM"
	exit 0
fi

build() {
	printf '%s; building from source\n' "$1"
	output build true
	output bin "$bin/project-map"
	exit 0
}

is_release() {
	case $1 in
	*[!0-9A-Za-z.-]*) return 1 ;;
	esac
	printf '%s\n' "$1" | grep -Eqx 'v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?'
}

asked=true
case $version in
source) build 'version: source' ;;
'')
	asked=false
	if is_release "$ref"; then
		version=$ref
	else
		# A commit id stands for the release whose tag points to it.
		candidate=v$(sed -n 's/^const version = "\(.*\)"$/\1/p' "$source/cmd/project-map/main.go")
		if is_release "$candidate" && is_commit "$ref" &&
			git ls-remote "$repository" "refs/tags/$candidate" "refs/tags/$candidate^{}" 2>/dev/null | cut -f 1 | grep -qx "$ref"; then
			version=$candidate
		else
			build "${ref:-this checkout} is no release"
		fi
	fi
	;;
*)
	case $version in v*) ;; *) version=v$version ;; esac
	is_release "$version" || fail "version: ${PM_VERSION:-} is neither a release like v1.2.3 nor \"source\""
	;;
esac

# missing says why there is no such release: an error where it was asked for.
missing() {
	if $asked; then
		fail "$1; give another version, or \"source\""
	fi
	build "$1"
}

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) missing "there are no releases for $(uname -s)" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) missing "there are no releases for $(uname -m)" ;;
esac
name=project-map_${version#v}_${os}_$arch

need curl 'the release cannot be fetched without it'
# Plain HTTP only where the address says so.
case $releases in
http://*) protocols='=http,https' ;;
*) protocols='=https' ;;
esac

# fetch URL FILE prints the status.
fetch() {
	curl --silent --show-error --location --proto "$protocols" --proto-redir "$protocols" --connect-timeout 20 --max-time 300 \
		--retry 3 --retry-delay "${PM_RETRY_DELAY:-2}" --output "$2" --write-out '%{http_code}' "$1"
}

archive=$work/$name.tar.gz
for f in SHA256SUMS "$name.tar.gz"; do
	to=$work/SHA256SUMS
	[ "$f" = SHA256SUMS ] || to=$archive
	status=$(fetch "$releases/$version/$f" "$to") || fail "fetch $releases/$version/$f: curl ended with $?"
	case $status in
	200) ;;
	404) missing "$releases/$version has no $f" ;;
	*) fail "fetch $releases/$version/$f: HTTP $status" ;;
	esac
done

want=${PM_CHECKSUM:-}
if [ -z "$want" ]; then
	want=$(awk -v f="$name.tar.gz" '$2 == f || $2 == "*" f { print $1 }' "$work/SHA256SUMS")
fi
is_hash "$want" 64 || fail "SHA256SUMS of $version does not name $name.tar.gz once"
have=$(sha256 "$archive")
[ "$have" = "$want" ] || fail "$name.tar.gz has the SHA-256 $have, not $want; nothing of it was run"

tar -xzf "$archive" -C "$work" "$name/project-map" || fail "unpack $name.tar.gz: there is no $name/project-map in it"
mv "$work/$name/project-map" "$bin/project-map"
rm -rf "$archive" "${work:?}/$name"
output bin "$bin/project-map"
