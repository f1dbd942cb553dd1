//! Builds crates of users with cargo: tests of recompilation, and of messages when kernel files and plans change.

mod data;
#[cfg(unix)]
mod firmware;
mod kept;
mod kernel_files;
mod packages;
mod plans;
mod project;

use project::{BUILD_SCRIPT, MACRO, Project};

/// Kernels with a name, in a kernel file.
const EAST: &str = "[shift]\ninputs = [\"A\"]\noutputs.A.kernel = [[0, 0, 1]]\nsearch = { isa = \"macro\", offset = \"any\", max_gain = \"any\" }\n";
const WEST: &str = "[shift]\ninputs = [\"A\"]\noutputs.A.kernel = [[1, 0, 0]]\nsearch = { isa = \"macro\", offset = \"any\", max_gain = \"any\" }\n";

/// The first of them in a block of the macro, with a program that prints its plan.
const BLOCK: &str = "focal::scamp_kernels! { #[search(isa = macro, offset = any, max_gain = any)] pub fn shift(A) -> A = [[0, 0, 1]]; }\n\
                     fn main() { print!(\"{}\", shift::PLAN); }\n";
/// The program with a kernel file.
const FILE: &str = "focal::scamp_kernels!(file = \"../kernels.toml\");\nfn main() { print!(\"{}\", shift::PLAN); }\n";
/// The program with a build script.
const INCLUDE: &str = "mod kernels { cain_runtime::include_kernels!(\"kernels\"); }\n\
                       fn main() { print!(\"{}\", kernels::shift::PLAN); }\n";
const SCRIPT: &str = "fn main() -> Result<(), cain_build::Error> { cain_build::compile(\"kernels.toml\") }\n";

/// A plan that is longer than necessary, through another register.
fn detour(over: char) -> String {
    format!(
        "# cain plan v2\ndeclaration: shift(A) -> (A) using (B, C, D, E, F) {{ A = [0 0 1] * A; }}\nisa: macro\n\
         objective: macros\ncost: macros=2 icws=4 peak_gain=1\nsearch: version=1 budget=1 nodes=1 first=0 best=0 stop=nodes\n\
         proved: instructions>=1\n\nmov({over},A);\nmovx(A,{over},east);\n"
    )
}
