#!/usr/bin/env bash
# Searches for plans as an array of Slurm, and takes the results into the plan files when all of it has ended.
#
# slurm.sh RESULTS [what `cain pin` takes beside: paths, --nodes, --plans]
#
# To be started in the folder of the package, which all nodes must see, as well as RESULTS and `cain`. Tasks that a node
# loses are started again. If some fail, start it once more: what is done is not done again.
set -euo pipefail
results=$1
shift
mkdir -p "$results"
cain pin --jobs "$@" >"$results/jobs"
count=$(wc -l <"$results/jobs")
if ((count == 0)); then
    echo 'nothing to search for'
    exit
fi

# Quoted, for the shells of the tasks.
results=$(printf '%q' "$results")
others=$(printf '%q ' "$@")
job="\$(sed -n \"\${SLURM_ARRAY_TASK_ID}p\" $results/jobs | cut -f1)"
array=$(sbatch --parsable --job-name=cain --array="1-$count" --cpus-per-task=1 --requeue --output=/dev/null \
    --wrap="cain pin --job \"$job\" --out $results --threads 1 $others")
sbatch --parsable --job-name=cain-collect --dependency="afterany:$array" --output="$results/collected" \
    --wrap="cain pin --collect $results $others"
