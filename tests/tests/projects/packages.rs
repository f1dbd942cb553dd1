//! Tests crates elsewhere: published, and built again.

use std::fs;

use super::project::printed;
use super::{BLOCK, BUILD_SCRIPT, EAST, INCLUDE, MACRO, Project, SCRIPT, detour};

/// The files that `cargo publish` would upload suffice for a build without a search.
#[test]
fn published_crates_contain_their_plans() {
    let block = [("src/main.rs", BLOCK)];
    let build_script = [("build.rs", SCRIPT), ("src/main.rs", INCLUDE), ("kernels.toml", EAST)];
    for (name, manifest, files) in
        [("published-block", MACRO, &block[..]), ("published-build-script", BUILD_SCRIPT, &build_script)]
    {
        let project = Project::new(name, manifest, files);
        project.write("plans/shift.scamp", detour('D'));
        let mut list = project.command("package");
        list.args(["--list", "--allow-dirty"]);
        let list = printed(list);
        assert!(list.lines().any(|file| file == "plans/shift.scamp"), "{list}");

        let published = Project::new(name, manifest, &[("src/main.rs", "")]);
        // The other files are made when the package is.
        for file in list.lines().filter(|file| project.path(file).exists()) {
            published.write(file, fs::read(project.path(file)).unwrap());
        }
        assert_eq!(published.run_with_plans("locked"), "mov(D,A);\nmovx(A,D,east);\n");
    }
}

const SOBEL: &str = "\
[sobel]
inputs = [\"A\"]
keep = [\"A\"]
outputs.B.kernel = [[1, 0, -1], [2, 0, -2], [1, 0, -1]]
outputs.C.kernel = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]]
search = { nodes = 300, book = false }
";

/// The result is the same in any folder and process.
#[test]
fn builds_do_not_depend_on_where_and_when() {
    // This is the output of both front ends, as text and as data.
    let main = "cain_runtime::scamp_kernels!(file = \"../kernels.toml\");\n\
                fn main() {\n\
                    print!(\"{}\", include_str!(concat!(env!(\"OUT_DIR\"), \"/kernels.rs\")));\n\
                    print!(\"{:#?}\", sobel::PLAN);\n\
                }\n";
    let files = [("build.rs", SCRIPT), ("src/main.rs", main), ("kernels.toml", SOBEL)];
    let built = [(), ()].map(|()| Project::new("built-twice", BUILD_SCRIPT, &files).run());
    assert!(built[0].contains("pub fn sobel<") && built[0].contains("\nsearch: nodes=300 "), "{}", built[0]);
    assert_eq!(built[0], built[1]);
}
