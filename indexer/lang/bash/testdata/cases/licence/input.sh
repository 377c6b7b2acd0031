#!/bin/sh
# Copyright 2024 Somebody. All rights reserved.
# Licensed under a licence that is no summary.

# Says what the file is for.

set -e
# shellcheck source=/dev/null
. "${BASH_SOURCE%/*}/lib.sh"
