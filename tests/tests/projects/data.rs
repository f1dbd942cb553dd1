//! Tests plans as data for other tools.

use super::{BLOCK, MACRO, Project};

#[test]
fn plans_are_serialized() {
    let manifest = MACRO.to_owned() + "serde_json = \"1\"\n";
    let main = BLOCK.replace("shift::PLAN)", "serde_json::to_value(shift::PLAN).unwrap())");
    let project = Project::new("plans-as-data", &manifest, &[("src/main.rs", &main)]);
    let json = project.run();
    for part in [
        "\"cost\":{\"icws\":2,\"macros\":1,\"peak_gain\":\"1\"}",
        "\"declaration\":\"shift(A) -> (A) using (B, C, D, E, F) { A = [0 0 1] * A; }\"",
        "\"found\":{\"lower_bound\":1,\"nodes\":2,\"stop\":\"proved\"}",
        "\"inputs\":[\"A\"],\"listing\":[\"movx(A,A,east);\"],\"name\":\"shift\",\"outputs\":[\"A\"],\"switches\":[]}",
    ] {
        assert!(json.contains(part), "{json}");
    }
}
