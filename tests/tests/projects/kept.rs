//! Tests what builds keep of their searches, below the target folder.

use std::fs;
use std::path::PathBuf;

use super::project::platform;
use super::{BLOCK, BUILD_SCRIPT, EAST, INCLUDE, MACRO, Project, SCRIPT};

/// What is kept about the filter of that name.
fn kept(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(platform().join("cain")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let is_it = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(&format!("{name}."));
    entries.filter(is_it).collect()
}

/// Builds with a filter of that name, which is declared in one of the files.
fn assert_searches_are_kept(name: &'static str, manifest: &str, files: &[(&str, String)], declared: usize) {
    for file in kept(name) {
        fs::remove_file(file).unwrap();
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let project = Project::new(name, manifest, &files);
    let (path, text) = files[declared];
    let mut lines = 0;
    let mut change = || {
        lines += 1;
        project.write(path, format!("{text}{}", "\n".repeat(lines)));
    };
    for mode in ["stub", "fresh"] {
        project.run_with_plans(mode);
        assert!(kept(name).is_empty(), "{mode}");
    }
    let found = project.run();
    let [file] = &kept(name)[..] else { panic!("{:?}", kept(name)) };
    project.assert_fresh();
    let right = fs::read_to_string(file).unwrap();
    for wrong in
        [right.clone(), right.replacen("east", "west", 1), right[..right.len() / 2].to_owned(), "\0".to_owned()]
    {
        fs::write(file, wrong).unwrap();
        project.assert_fresh();
        change();
        assert_eq!(project.run(), found);
        assert_eq!(fs::read_to_string(file).unwrap(), right);
    }
    assert_eq!(kept(name).len(), 1);
}

#[test]
fn by_the_macro() {
    let name = "kept_by_the_macro";
    assert_searches_are_kept(name, MACRO, &[("src/main.rs", BLOCK.replace("shift", name))], 0);
}

#[test]
fn by_a_build_script() {
    let name = "kept_by_a_script";
    let files = [
        ("src/main.rs", INCLUDE.replace("shift", name)),
        ("build.rs", SCRIPT.to_owned()),
        ("kernels.toml", EAST.replace("shift", name)),
    ];
    assert_searches_are_kept(name, BUILD_SCRIPT, &files, 2);
}
