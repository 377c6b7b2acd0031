#!/bin/sh
# Writes the static site of the commit. Output: site.
. "${0%/*}/common.sh"

rm -rf "$work/site"
project_map site --out "$work/site" || fail 'the site could not be written; the message is above'
output site "$work/site"
