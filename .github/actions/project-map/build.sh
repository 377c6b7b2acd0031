#!/bin/sh
# Builds the program from the checkout of the action.
. "${0%/*}/common.sh"

need go 'the program has to be built from source'
cd "${PM_SOURCE:?}" || exit
# The checkout of an action is no clone, so there is no commit to name.
CGO_ENABLED=1 go build -trimpath -buildvcs=false -o "${PM_BIN:?}" ./cmd/project-map || fail 'the program could not be built; it needs Go and a C compiler'
