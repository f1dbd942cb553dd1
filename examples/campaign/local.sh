#!/usr/bin/env bash
# Searches for plans with several processes on this machine.
#
# local.sh WORKERS RESULTS [what `cain pin` takes beside: paths, --nodes, --plans]
#
# It can be ended and started again at any time: what is done is not done again.
set -euo pipefail
workers=$1 results=$2
shift 2

# What fails is reported below.
cain pin --jobs "$@" | cut -f1 |
    xargs -P "$workers" -I '{}' cain pin --job '{}' --out "$results" --threads 1 "$@" || true
cain pin --collect "$results" "$@"
