//! Tests of completions for shells.

use crate::Folder;

#[test]
fn every_shell_knows_every_command() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.cain(&["completions", shell]).good();
        for word in ["compile", "generate", "max-gain"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(folder.cain(&["completions", "tcsh"]).stderr.contains("[possible values: bash, "));
}
