//! Tests plan files that appear, change, contain mistakes, and disappear.

use super::{BLOCK, BUILD_SCRIPT, EAST, FILE, INCLUDE, MACRO, Project, SCRIPT, detour};

const SEARCHED: &str = "movx(A,A,east);\n";

/// A project with one filter, which has no plan yet.
struct Pinned {
    project: Project,
    /// The file that declares the filter, and its contents.
    source: (&'static str, &'static str),
    /// The text of an error before the path of the plan.
    prefix: &'static str,
}

#[test]
fn of_a_block() {
    Pinned {
        project: Project::new("plans-of-block", MACRO, &[("src/main.rs", BLOCK)]),
        source: ("src/main.rs", BLOCK),
        prefix: "error: ",
    }
    .assert_plans_are_used();
}

#[test]
fn of_a_kernel_file_in_the_macro() {
    Pinned {
        project: Project::new("plans-of-file", MACRO, &[("src/main.rs", FILE), ("kernels.toml", EAST)]),
        source: ("kernels.toml", EAST),
        prefix: "error: ../kernels.toml:1:2: filter `shift`: ",
    }
    .assert_plans_are_used();
}

#[test]
fn of_a_kernel_file_in_a_build_script() {
    let files = [("build.rs", SCRIPT), ("src/main.rs", INCLUDE), ("kernels.toml", EAST)];
    Pinned {
        project: Project::new("plans-of-build-script", BUILD_SCRIPT, &files),
        source: ("kernels.toml", EAST),
        prefix: "Error: kernels.toml:1:2: filter `shift`: ",
    }
    .assert_plans_are_used();
}

impl Pinned {
    #[track_caller]
    fn assert_plans_are_used(&self) {
        let Self { project, source: (source, text), .. } = self;
        assert_eq!(project.run(), SEARCHED);
        self.expect_error_with_plans("locked", ": the filter has no plan, and with `CAIN_PLANS=locked` none is");
        assert_eq!(project.run_with_plans("stub"), "");
        assert_eq!(project.run(), SEARCHED);

        project.write("plans/shift.scamp", detour('B'));
        // This marks it as changed, like `cain pin`.
        project.write(source, text);
        assert_eq!(project.run(), "mov(B,A);\nmovx(A,B,east);\n");
        project.assert_fresh();
        project.write("plans/shift.scamp", detour('C'));
        assert_eq!(project.run_with_plans("locked"), "mov(C,A);\nmovx(A,C,east);\n");

        let right = detour('C');
        for (wrong, message) in [
            (right.replace("[0 0 1]", "[1 0 0]").into_bytes(), ":2:59: the plan is for another filter"),
            (right.replace("(A,C,east)", "(A,C,west)").into_bytes(), ":9:1: the program does not compute the filter"),
            (right.replace("plan v2", "plan v3").into_bytes(), ":1:14: the plan has format 3"),
            (right.replace("plan v2", "plan v1").into_bytes(), ":1:14: the plan has format 1"),
            (right.as_bytes()[..right.len() / 2].to_owned(), ":6:1: the file ends here"),
            (b"\x7fELF\xff".to_vec(), ":1:5: the plan is not UTF-8 from here on"),
            (vec![b'\n'; 2 << 20], ": the plan is larger than 1048576 bytes"),
        ] {
            project.write("plans/shift.scamp", wrong);
            self.expect_error_with_plans("auto", message);
        }
        // This is like an editor that opens a branch in the middle of a change.
        assert_eq!(project.run_with_plans("stub"), "");
        project.write("plans/shift.scamp", right);
        assert_eq!(project.run(), "mov(C,A);\nmovx(A,C,east);\n");
        project.remove("plans/shift.scamp");
        assert_eq!(project.run(), SEARCHED);
    }

    /// Expects a single error, about the plan file and with this message.
    #[track_caller]
    fn expect_error_with_plans(&self, mode: &str, message: &str) {
        let log = self.project.fail_with_plans(mode);
        assert!(log.contains(&format!("{}plans/shift.scamp{message}", self.prefix)), "{log}");
        assert_eq!(log.matches("plans/shift.scamp").count(), 1, "{log}");
    }
}
