//! Tests kernel files that change, contain mistakes, and disappear.

use super::{BUILD_SCRIPT, EAST, FILE, INCLUDE, MACRO, Project, SCRIPT, WEST};

#[test]
fn in_the_macro() {
    let project = Project::new("file-in-macro", MACRO, &[("src/main.rs", FILE), ("kernels.toml", EAST)]);
    assert_eq!(project.run(), "movx(A,A,east);\n");
    project.assert_fresh();
    project.write("kernels.toml", WEST);
    assert_eq!(project.run(), "movx(A,A,west);\n");

    project.write("kernels.toml", WEST.replace("inputs", "imputs"));
    let log = project.fail();
    assert!(log.contains("error: ../kernels.toml:2:1: `shift`: unknown key `imputs`; did you mean `inputs`?"), "{log}");
    project.write("kernels.toml", EAST);
    assert_eq!(project.run(), "movx(A,A,east);\n");

    project.remove("kernels.toml");
    let log = project.fail();
    assert!(log.contains("error: cannot read `src/../kernels.toml`: "), "{log}");
}

#[test]
fn in_a_build_script() {
    let files = [("build.rs", SCRIPT), ("src/main.rs", INCLUDE), ("kernels.toml", EAST)];
    let project = Project::new("file-in-build-script", BUILD_SCRIPT, &files);
    assert_eq!(project.run(), "movx(A,A,east);\n");
    project.assert_fresh();
    project.write("kernels.toml", WEST);
    assert_eq!(project.run(), "movx(A,A,west);\n");
    project.assert_fresh();

    project.write("kernels.toml", WEST.replace("[1, 0, 0]", "[1, 0]"));
    let log = project.fail();
    assert!(log.contains("Error: kernels.toml:3:20: a kernel of 1×2 weights has no centre; "), "{log}");
    project.remove("kernels.toml");
    assert!(project.fail().contains("Error: kernels.toml: cannot be read: "));
    project.write("kernels.toml", EAST);
    assert_eq!(project.run(), "movx(A,A,east);\n");
}

#[test]
fn a_build_script_that_compiles_nothing() {
    let source = "cain_runtime::include_kernels!(\"kernels\");\nfn main() {}\n";
    let project = Project::new("no-build-script", BUILD_SCRIPT, &[("src/main.rs", source)]);
    let log = project.fail();
    assert!(log.contains("error: kernels are included where a build script calls `cain_build::compile`"), "{log}");
}
