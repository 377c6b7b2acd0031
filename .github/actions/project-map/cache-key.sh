#!/bin/sh
# Says under which key facts and store are kept: output key, "" where there is
# nothing that was not restored.
. "${0%/*}/common.sh"

now=$(kept)
if [ "$now" = "$(cat "$work/kept-before")" ]; then
	output key ''
else
	output key "${PM_CACHE_PREFIX:?}$now"
fi
