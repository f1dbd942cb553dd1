//! Tests of `cain compile --objective ..` on the public cases.

use serde_json::Value;

use crate::Folder;

const CASES: [&str; 3] = [
    include_str!("../../cases/table1.toml"),
    include_str!("../../cases/analognavnet.toml"),
    include_str!("../../cases/classic.toml"),
];

/// The predicted errors of the programs for all public cases.
fn errors(objective: &str, nodes: &str) -> Vec<f64> {
    let compile = |file: &&str| {
        let args = ["compile", "kernels.toml", "--json", "--nodes", nodes, "--objective", objective];
        let args = [&args[..], &["--isa", "macro", "--offset", "any", "--max-gain", "any"]].concat();
        Folder::new(file).cain(&args).good()
    };
    let objects = CASES.iter().map(compile).collect::<String>();
    let rms = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["objective"], objective);
        object["rms"].as_f64().unwrap()
    };
    objects.lines().map(rms).collect()
}

#[test]
fn the_error_is_least_where_it_is_the_objective() {
    let [macros, icws] = ["macros", "icws"].map(|objective| errors(objective, "100"));
    let accuracy = errors("accuracy", "1500");
    assert_eq!(accuracy.len(), 17);
    // A search for accuracy has less budget left for the shortest programs, which may be the best.
    let others = macros.iter().zip(&icws).map(|(macros, icws)| macros.min(*icws));
    let worse: Vec<_> = accuracy.iter().zip(others).filter(|(error, least)| **error > 1.1 * least).collect();
    assert!(worse.len() <= 3, "{worse:?}");
    let sum = |errors: &[f64]| errors.iter().sum::<f64>();
    // Kernels whose results are larger than what registers hold lose most of them on the way, whatever the program.
    assert!(1.3 * sum(&accuracy) <= sum(&macros), "{} against {}", sum(&accuracy), sum(&macros));
}
