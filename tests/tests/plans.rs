//! Tests plan files in the macro.

use std::fs;
use std::path::Path;

use cain_codegen::plan_file::PlanFolder;
use cain_codegen::{Mode, Plans};
use cain_runtime::isa::{Found, Stop};

use super::support::expand;

cain_runtime::scamp_kernels! {
    /// Two instructions would do, but the plan in this package has three.
    #[search(isa = macro, offset = any, max_gain = any)]
    fn pinned(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];
}

/// The filter with constants in a module.
mod with_constants {
    const PAIR: [[u8; 3]; 1] = [[0, 1, 1]];
    const HALF: f32 = 0.5;

    cain_runtime::scamp_kernels! {
        #[search(isa = macro, offset = any, max_gain = any)]
        pub fn pinned(&A) -> B using (C, D) = HALF * PAIR;
    }
}

const KERNEL: &str =
    "#[search(isa = macro, offset = any, max_gain = any)] fn pinned(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];";

/// The plans of this package.
fn plans(mode: Mode) -> Plans {
    Plans::new(mode, Some(PlanFolder::of_package(Path::new(env!("CARGO_MANIFEST_DIR")))))
}

/// The messages of the compile errors in an expansion.
fn errors(expansion: &str) -> Vec<&str> {
    let errors = expansion.split("::core::compile_error!").skip(1);
    errors.filter_map(|rest| rest.split('"').nth(1)).collect()
}

#[test]
fn the_plan_is_used_and_not_a_search() {
    assert_eq!(pinned::PLAN.to_string(), "divq(C,A);\nmovx(B,C,east);\nadd(B,B,C);\n");
    assert_eq!(with_constants::pinned::PLAN.to_string(), pinned::PLAN.to_string());
    assert_eq!(pinned::PLAN.found, Found { nodes: 15, lower_bound: 2, stop: Stop::Exhausted });
}

#[test]
fn builds_depend_on_the_plan_and_on_the_mode() {
    let file = fs::canonicalize("plans/pinned.scamp").unwrap();
    for mode in [Mode::Auto, Mode::Locked] {
        let expansion = expand(KERNEL, &plans(mode));
        assert!(expansion.contains(&format!("::core::include_bytes!({file:?})")), "{expansion}");
        assert!(expansion.contains("::core::option_env!(\"CAIN_PLANS\")"), "{expansion}");
        assert!(errors(&expansion).is_empty(), "{expansion}");
    }
}

#[test]
fn no_search_where_plans_are_locked() {
    let other = KERNEL.replace("pinned", "other");
    let expansion = expand(&other, &plans(Mode::Locked));
    assert_eq!(
        errors(&expansion),
        [
            "plans/other.scamp: the filter has no plan, and with `CAIN_PLANS=locked` none is searched for; run `cain pin`"
        ]
    );
    let expansion = expand(&other, &plans(Mode::Auto));
    assert!(errors(&expansion).is_empty() && !expansion.contains("include_bytes"), "{expansion}");
}

/// The parts that only a function without a program has.
const STUB: [&str; 4] = [
    "/// # Panics\n///\n/// Always: there is no program.\n///\n/// # Errors\n",
    " has no program; build without `CAIN_PLANS=stub`\")\n",
    "listing: &[],",
    "peak_gain: ratio(0, 1),",
];

/// The function exists all the same, so its callers have no errors.
#[test]
fn without_plan() {
    let expansion = expand(&KERNEL.replace("pinned", "other"), &plans(Mode::Locked));
    for part in STUB.into_iter().chain(["\nfn other<'b, H", "    let _ = (scamp, a, b, c, d);\n", "1/2 [0 1 1] * A"]) {
        assert!(expansion.contains(part), "{part}\nis not in\n{expansion}");
    }
    assert_eq!(errors(&expansion).len(), 1, "{expansion}");
}

#[test]
fn a_plan_for_another_filter_is_an_error_with_advice() {
    let changed = KERNEL.replace("[[0, 1, 1]]", "[[1, 1, 0]]");
    for mode in [Mode::Auto, Mode::Locked] {
        let expansion = expand(&changed, &plans(mode));
        let [error] = errors(&expansion)[..] else { panic!("{expansion}") };
        assert!(error.starts_with("plans/pinned.scamp:2:"), "{error}");
        assert!(error.ends_with("; run `cain pin` to search for the new one"), "{error}");
    }
}

/// Neither plans nor searches are used, so this takes no time and cannot fail.
#[test]
fn stubs() {
    let hopeless = "
        /// No search would find a program in one node.
        #[search(nodes = 1)]
        pub fn pinned(A, &B) -> (A, C) using D {
            A = [[1, 2, 1], [1, 5, 3], [1, 7, 1]] * A + [[3, 1, 1]] * B;
            C = [[1]] * A;
        }
    ";
    let expansion = expand(hopeless, &plans(Mode::Stub));
    let text = "declaration: \"pinned(A, &B) -> (A, C) using (D) { A = [1 2 1; 1 5 3; 1 7 1] * A + [3 1 1] * B; C = [1] * A; }\"";
    for part in STUB.into_iter().chain(["/// No search would find a program in one node.\n///\n/// # Panics\n", text]) {
        assert!(expansion.contains(part), "{part}\nis not in\n{expansion}");
    }
    assert!(errors(&expansion).is_empty() && !expansion.contains("include_bytes"), "{expansion}");
}
