#!/usr/bin/env bash
# Searches for plans as tasks of HyperQueue, waits for them, and takes the results into the plan files.
#
# hyperqueue.sh RESULTS [what `cain pin` takes beside: paths, --nodes, --plans]
#
# To be started in the folder of the package, which all workers must see, as well as RESULTS and `cain`; a server and
# workers have to run. If some tasks fail, start it once more: what is done is not done again.
set -euo pipefail
results=$1
shift
mkdir -p "$results"
cain pin --jobs "$@" | cut -f1 >"$results/jobs"
if [[ ! -s $results/jobs ]]; then
    echo 'nothing to search for'
    exit
fi

# Each task has its line in HQ_ENTRY. What fails is reported below.
hq submit --name cain --each-line "$results/jobs" --cpus 1 --wait --stdout none --stderr none \
    bash -c 'results=$1; shift; exec cain pin --job "$HQ_ENTRY" --out "$results" --threads 1 "$@"' \
    cain "$results" "$@" || true
cain pin --collect "$results" "$@"
