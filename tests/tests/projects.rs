//! Crates of users, built by cargo: what is compiled again, and what is said, when kernel files change.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const EAST: &str = "[shift]\ninputs = [\"A\"]\noutputs.A.kernel = [[0, 0, 1]]\n";
const WEST: &str = "[shift]\ninputs = [\"A\"]\noutputs.A.kernel = [[1, 0, 0]]\n";

/// A plan for the first of them that is longer than need be, over a register.
fn detour(over: char) -> String {
    format!(
        "# cain plan v1\ndeclaration: shift(A) -> (A) using (B, C, D, E, F) {{ A = [0 0 1] * A; }}\nisa: macro\n\
         objective: macros\ncost: macros=2 icws=4 headroom=1\nsearch: budget=1 nodes=1 first=0 best=0 stop=nodes\n\
         proved: instructions>=1\n\nmov({over},A);\nmovx(A,{over},east);\n"
    )
}

/// A package in a folder of its own.
struct Project {
    folder: TempDir,
    name: &'static str,
}

impl Project {
    /// With these tables in the manifest, and these files.
    fn new(name: &'static str, manifest: &str, files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap(), name };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = manifest.replace("WORKSPACE", workspace.to_str().unwrap());
        let package = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{manifest}");
        project.write("Cargo.toml", &package);
        // The versions that are on this machine; cargo leaves out those that are not needed.
        project.write("Cargo.lock", &fs::read_to_string(workspace.join("Cargo.lock")).unwrap());
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.folder.path().join(path)).unwrap();
    }

    fn cargo(&self, command: &str) -> Output {
        // The dependencies are compiled once for all projects.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([command, "--offline", "--verbose"]).current_dir(&self.folder).env("CARGO_TARGET_DIR", target);
        cargo.output().unwrap()
    }

    /// What the program of the package prints.
    #[track_caller]
    fn run(&self) -> String {
        let output = self.cargo("run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Plans are used, and watched, from the build on that sees the first one.
    #[track_caller]
    fn assert_plans_are_used(&self) {
        self.write("plans/shift.scamp", &detour('B'));
        // As `cain pin` marks it as changed.
        self.write("kernels.toml", EAST);
        assert_eq!(self.run(), "mov(B,A);\nmovx(A,B,east);\n");
        self.assert_fresh();
        self.write("plans/shift.scamp", &detour('C'));
        assert_eq!(self.run(), "mov(C,A);\nmovx(A,C,east);\n");
        self.write("plans/shift.scamp", &detour('C').replace("[0 0 1]", "[1 0 0]"));
        let log = self.fail();
        assert!(log.contains("kernels.toml:1:2: filter `shift`: plans/shift.scamp:2:"), "{log}");
        self.remove("plans/shift.scamp");
        assert_eq!(self.run(), "movx(A,A,east);\n");
    }

    /// What cargo says about a build that fails.
    #[track_caller]
    fn fail(&self) -> String {
        let output = self.cargo("build");
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }

    /// Builds again: nothing is run but what was built.
    #[track_caller]
    fn assert_fresh(&self) {
        let output = self.cargo("build");
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && log.contains(&format!("Fresh {} ", self.name)), "{log}");
        assert!(!log.contains("Running "), "{log}");
    }
}

#[test]
fn a_kernel_file_in_the_macro() {
    let project = Project::new(
        "file-in-macro",
        "[dependencies]\nfocal = { package = \"cain-runtime\", path = \"WORKSPACE/cain-runtime\", features = [\"file\"] }\n",
        &[
            (
                "src/main.rs",
                "focal::scamp_kernels!(file = \"../kernels.toml\");\nfn main() { print!(\"{}\", shift::PLAN); }\n",
            ),
            ("kernels.toml", EAST),
        ],
    );
    assert_eq!(project.run(), "movx(A,A,east);\n");
    project.assert_fresh();
    project.write("kernels.toml", WEST);
    assert_eq!(project.run(), "movx(A,A,west);\n");

    project.write("kernels.toml", &WEST.replace("inputs", "imputs"));
    let log = project.fail();
    assert!(log.contains("error: ../kernels.toml:2:1: `shift`: unknown key `imputs`; did you mean `inputs`?"), "{log}");
    project.write("kernels.toml", EAST);
    assert_eq!(project.run(), "movx(A,A,east);\n");
    project.assert_plans_are_used();

    project.remove("kernels.toml");
    let log = project.fail();
    assert!(log.contains("error: cannot read `src/../kernels.toml`: "), "{log}");
}

#[test]
fn a_kernel_file_in_a_build_script() {
    let project = Project::new(
        "file-in-build-script",
        "[dependencies]\ncain-runtime = { path = \"WORKSPACE/cain-runtime\", default-features = false }\n\
         [build-dependencies]\ncain-build = { path = \"WORKSPACE/cain-macros/build\" }\n",
        &[
            ("build.rs", "fn main() -> Result<(), cain_build::Error> { cain_build::compile(\"kernels.toml\") }\n"),
            (
                "src/main.rs",
                "mod kernels { cain_runtime::include_kernels!(\"kernels\"); }\n\
                 fn main() { print!(\"{}\", kernels::shift::PLAN); }\n",
            ),
            ("kernels.toml", EAST),
        ],
    );
    assert_eq!(project.run(), "movx(A,A,east);\n");
    project.assert_fresh();
    project.write("kernels.toml", WEST);
    assert_eq!(project.run(), "movx(A,A,west);\n");
    project.assert_fresh();

    project.write("kernels.toml", &WEST.replace("[1, 0, 0]", "[1, 0]"));
    let log = project.fail();
    assert!(log.contains("Error: kernels.toml:3:20: a kernel of 1×2 weights has no centre; "), "{log}");
    project.remove("kernels.toml");
    assert!(project.fail().contains("Error: kernels.toml: cannot be read: "));
    project.write("kernels.toml", EAST);
    assert_eq!(project.run(), "movx(A,A,east);\n");
    project.assert_plans_are_used();
}

#[test]
fn a_build_script_that_compiles_nothing() {
    let project = Project::new(
        "no-build-script",
        "[dependencies]\ncain-runtime = { path = \"WORKSPACE/cain-runtime\", default-features = false }\n",
        &[("src/main.rs", "cain_runtime::include_kernels!(\"kernels\");\nfn main() {}\n")],
    );
    let log = project.fail();
    assert!(log.contains("error: kernels are included where a build script calls `cain_build::compile`"), "{log}");
}
