//! Tests of `cain pin` on several machines: jobs, their results, and the scripts of `examples/campaign/`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::Folder;

const KERNELS: &str = "\
    #[search(nodes = 300)] fn gauss(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];
    #[search(nodes = 300)] fn edges(&A) -> B using (C, D) = 1/8 * [[0, -1, 0], [-1, 4, -1], [0, -1, 0]];
    fn north(A) -> A using () = [[1], [0], [0]];
    #[search(isa = digital, bits = 1, nodes = 200)] fn not(A) -> B = !A;";
const NETWORK: &str = "#[search(nodes = 200)] network slopes { input = { size = 4, levels = -60..60, binarise = 128 };
    slope = convolution { kernels = [[[-1, 1]]] };
    is_edge = threshold { at = 60 };
    count = windows { size = [4, 3] }; }";

/// A package with filters of several kinds, and a network.
fn package() -> Folder {
    let folder = Folder::new("");
    folder.write("Cargo.toml", "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    folder.write(
        "src/lib.rs",
        &format!("cain_runtime::scamp_kernels! {{ {KERNELS} }}\ncain_runtime::scamp_network! {{ {NETWORK} }}"),
    );
    folder
}

/// The names of the jobs.
fn jobs(folder: &Folder) -> Vec<String> {
    let listed = folder.cain(&["pin", "--jobs"]).good();
    listed.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

fn plans(folder: &Folder) -> Vec<(String, String)> {
    let names = ["edges", "gauss", "north", "not", "slopes"].map(|name| format!("plans/{name}.scamp"));
    names.into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}

/// The plans of one machine.
fn pinned_at_once() -> Vec<(String, String)> {
    let folder = package();
    folder.cain(&["pin"]).good();
    plans(&folder)
}

/// The jobs run in another order, one of them twice, one late, and one result is damaged.
#[test]
fn many_machines_write_the_bytes_of_one() {
    let folder = package();
    let listed = folder.cain(&["pin", "--jobs"]).good();
    let rows: Vec<Vec<&str>> = listed.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.iter().map(|row| row[1]).collect::<Vec<_>>(), ["300", "300", "50000", "200", "200"]);
    assert!(rows.iter().all(|row| row[2].parse::<u64>().is_ok()), "{listed}");
    assert!(rows[0][0].starts_with("edges.") && rows[0][3] == "src/lib.rs:2:31", "{listed}");

    let jobs = jobs(&folder);
    let job = |name: &str| folder.cain(&["pin", "--job", name, "--out", "results"]);
    assert_eq!(job(&jobs[2]).good(), format!("{}: done\n", jobs[2]));
    assert_eq!(job(&jobs[2]).good(), format!("{}: was done before\n", jobs[2]));
    for done in [0, 3, 4] {
        job(&jobs[done]).good();
    }
    let missing = folder.cain(&["pin", "--collect", "results"]);
    let message = format!("src/lib.rs:1:58: filter `gauss`: job `{}` has no result in `results`", jobs[1]);
    assert_eq!(missing.bad(), [message]);
    assert_eq!(self::jobs(&folder), jobs[1..2], "what is collected is no job any more");

    job(&jobs[1]).good();
    let result = format!("results/{}.scamp", jobs[1]);
    let whole = folder.read(&result);
    let last = whole.lines().last().unwrap();
    folder.write(&result, &whole.replace(last, "bus(A,B);"));
    let damaged = folder.cain(&["pin", "--collect", "results"]);
    let message = format!("src/lib.rs:1:58: filter `gauss`: job `{}` has to be done again: results", jobs[1]);
    assert!(matches!(damaged.bad().as_slice(), [line] if line.starts_with(&message)), "{}", damaged.stderr);
    assert!(!folder.path("plans/gauss.scamp").exists());

    job(&jobs[1]).good();
    folder.cain(&["pin", "--collect", "results"]).good();
    assert_eq!(plans(&folder), pinned_at_once());
    assert!(folder.cain(&["pin", "--collect", "results"]).good().contains("kept"));
}

#[test]
fn jobs_of_other_sources_are_refused() {
    let folder = package();
    let run = folder.cain(&["pin", "--job", "gauss.00000000", "--out", "results"]);
    assert!(run.bad()[0].starts_with("gauss.00000000: no such job; the sources may have changed"));
    assert!(folder.cain(&["pin", "--collect", "results"]).bad()[0].starts_with("results: cannot be read: "));
    let job = jobs(&folder).remove(1);
    folder.write("file", "");
    let run = folder.cain(&["pin", "--job", &job, "--out", "file"]);
    assert!(run.bad()[0].starts_with("file: cannot be written to: "), "{}", run.stderr);
}

/// Runs a script of `examples/campaign/`, with further programs and `cain` in the path.
///
/// Returns what it prints.
fn campaign(folder: &Folder, script: &str, arguments: &[&str], programs: &[(&str, &str)]) -> String {
    fs::create_dir(folder.path("bin")).unwrap();
    for (name, text) in programs {
        folder.write(&format!("bin/{name}"), text);
        fs::set_permissions(folder.path(&format!("bin/{name}")), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let cain = Path::new(env!("CARGO_BIN_EXE_cain")).parent().unwrap();
    let path = std::env::join_paths(
        [folder.path("bin"), cain.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/campaign").join(script);
    let output =
        Command::new(script).args(arguments).current_dir(folder.0.path()).env("PATH", path.unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn processes_on_one_machine() {
    let folder = package();
    campaign(&folder, "local.sh", &["2", "all results", "."], &[]);
    assert_eq!(plans(&folder), pinned_at_once());
}

/// A stand-in for Slurm runs the tasks of an array one after the other, the last first.
#[test]
fn an_array_of_slurm() {
    const SBATCH: &str = r#"#!/usr/bin/env bash
set -euo pipefail
last=
for argument; do
    case $argument in
        --array=1-*) last=${argument#--array=1-} ;;
        --wrap=*) wrapped=${argument#--wrap=} ;;
    esac
done
if [[ -z $last ]]; then
    sh -c "$wrapped" >&2
else
    for ((task = last; task > 0; task--)); do SLURM_ARRAY_TASK_ID=$task sh -c "$wrapped" >&2; done
fi
echo 17
"#;
    let folder = package();
    campaign(&folder, "slurm.sh", &["all results", "."], &[("sbatch", SBATCH)]);
    assert_eq!(plans(&folder), pinned_at_once());
}

/// What a program prints, if it is there and succeeds.
fn printed(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// The cluster consists of this machine alone, since other nodes do not see the folder of a test.
#[test]
fn a_real_array_of_slurm() {
    // Without a configuration, its commands first look for one in the network.
    let configuration = std::env::var_os("SLURM_CONF").unwrap_or_else(|| "/etc/slurm/slurm.conf".into());
    let nodes =
        Path::new(&configuration).exists().then(|| printed("sinfo", &["--noheader", "--format=%n %a"])).flatten();
    let own = printed("hostname", &["--short"]).map(|name| format!("{name} up"));
    if nodes.is_none() || nodes != own {
        let reason = "there is no Slurm with this machine as its only node";
        return cain_tests::skipped("a campaign on a real array of Slurm", reason).unwrap();
    }
    let folder = package();
    let collecting = campaign(&folder, "slurm.sh", &["all results", "."], &[]);
    // After a while, Slurm no longer knows jobs that have ended.
    while printed("squeue", &["--noheader", "--jobs", collecting.trim()]).is_some_and(|left| !left.is_empty()) {
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    assert_eq!(plans(&folder), pinned_at_once(), "{}", folder.read("all results/collected"));
}

/// A stand-in for `HyperQueue` runs a task for each line.
#[test]
fn tasks_of_hyperqueue() {
    const HQ: &str = r#"#!/usr/bin/env bash
set -euo pipefail
while [[ $1 != bash ]]; do
    [[ $1 == --each-line ]] && lines=$2
    shift
done
while read -r HQ_ENTRY; do HQ_ENTRY=$HQ_ENTRY "$@" </dev/null; done <"$lines"
"#;
    let folder = package();
    campaign(&folder, "hyperqueue.sh", &["all results", "."], &[("hq", HQ)]);
    assert_eq!(plans(&folder), pinned_at_once());
}
