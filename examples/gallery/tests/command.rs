//! The program as it is started.

use std::process::Command;

#[test]
fn an_image_that_is_none_is_an_error_in_one_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (image, out) = (folder.path().join("holiday.jpg"), folder.path().join("pictures"));
    std::fs::write(&image, "no picture").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gallery"));
    let found = command.arg("--image").arg(&image).arg("--out").arg(&out).output().unwrap();
    let message = String::from_utf8(found.stderr).unwrap();
    assert_eq!(found.status.code(), Some(1), "{message}");
    assert!(
        message.lines().last().is_some_and(|line| line.starts_with("gallery: ") && line.contains("holiday.jpg")),
        "{message}"
    );
    assert!(found.stdout.is_empty() && !out.exists());
}
