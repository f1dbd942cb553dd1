//! A crate of a user.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{env, fs};

use tempfile::TempDir;

/// Features for what is in the macro and in build scripts, which is then compiled once: trybuild and the macros of a firmware
/// ask for the same ones.
const SHARED: &str = "\
[build-dependencies.cain-codegen]
path = \"WORKSPACE/cain-macros/codegen\"
features = [\"programs\", \"source\"]
[build-dependencies.syn]
version = \"3\"
features = [\"extra-traits\"]
";

/// The manifest of a crate that uses the macro under another name.
pub(crate) const MACRO: &str = "\
[dependencies]
focal = { package = \"cain-runtime\", path = \"WORKSPACE/cain-runtime\", features = [\"macros\", \"programs\", \"sim\", \"serde\"] }
";

/// The manifest of a crate with a build script. The crate at run time is that of the macro's, so that it is compiled once;
/// `examples/build-script` has one without macros.
pub(crate) const BUILD_SCRIPT: &str = "\
[dependencies]
cain-runtime = { path = \"WORKSPACE/cain-runtime\", features = [\"macros\", \"programs\", \"sim\", \"serde\"] }
[build-dependencies]
cain-build = { path = \"WORKSPACE/cain-macros/build\" }
";

/// A package in a folder of its own.
pub(crate) struct Project {
    folder: TempDir,
    name: &'static str,
}

impl Project {
    /// A package with these tables in its manifest, and these files.
    pub(crate) fn new(name: &'static str, manifest: &str, files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap(), name };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let package =
            format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{SHARED}{manifest}");
        let package = package.replace("WORKSPACE", workspace.to_str().unwrap());
        project.write("Cargo.toml", &package);
        // These are the versions on this machine; cargo ignores those that are not needed.
        project.write("Cargo.lock", fs::read_to_string(workspace.join("Cargo.lock")).unwrap());
        for (path, text) in files {
            project.write(path, text);
        }
        let metadata = project.cargo().args(["metadata", "--offline", "--format-version", "1"]).output().unwrap();
        assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
        project
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    /// Runs cargo in the package, with the default use of plans.
    fn cargo(&self) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.envs([("CARGO_BUILD_TARGET", host()), ("CARGO_INCREMENTAL", "0")]);
        cargo.current_dir(&self.folder).env("CARGO_TARGET_DIR", target()).env_remove("CAIN_PLANS");
        cargo
    }

    /// A command that builds or inspects the package without changing it.
    pub(crate) fn command(&self, command: &str) -> Command {
        let mut cargo = self.cargo();
        cargo.args([command, "--offline", "--locked"]);
        cargo
    }

    /// The output of the package's program.
    #[track_caller]
    pub(crate) fn run(&self) -> String {
        printed(self.command("run"))
    }

    /// The output in a build with `CAIN_PLANS` set.
    #[track_caller]
    pub(crate) fn run_with_plans(&self, mode: &str) -> String {
        let mut command = self.command("run");
        command.env("CAIN_PLANS", mode);
        printed(command)
    }

    /// The messages of cargo for a build that fails.
    #[track_caller]
    pub(crate) fn fail(&self) -> String {
        said(self.command("build"))
    }

    /// The messages in a build with `CAIN_PLANS` set.
    #[track_caller]
    pub(crate) fn fail_with_plans(&self, mode: &str) -> String {
        let mut command = self.command("build");
        command.env("CAIN_PLANS", mode);
        said(command)
    }

    /// Builds again, and asserts that nothing is compiled.
    #[track_caller]
    pub(crate) fn assert_fresh(&self) {
        let Output { status, stderr, .. } = self.command("build").arg("--verbose").output().unwrap();
        let log = String::from_utf8(stderr).unwrap();
        assert!(status.success() && log.contains(&format!("Fresh {} ", self.name)), "{log}");
        assert!(!log.contains("Running "), "{log}");
    }
}

/// The target folder. The dependencies are compiled once for all projects; those of the macro are also compiled by trybuild,
/// in this folder and with the same settings.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests").join("trybuild")
}

/// The part of the target folder for this platform.
pub(crate) fn platform() -> PathBuf {
    target().join(host())
}

/// The target of the machine that compiles.
fn host() -> &'static str {
    static HOST: LazyLock<String> = LazyLock::new(|| {
        let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--print", "host-tuple"]);
        printed(rustc).trim().to_owned()
    });
    &HOST
}

/// The standard output of a command that succeeds.
#[track_caller]
pub(crate) fn printed(mut command: Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// The standard error of a command that fails.
#[track_caller]
fn said(mut command: Command) -> String {
    let Output { status, stderr, .. } = command.output().unwrap();
    assert!(!status.success());
    String::from_utf8(stderr).unwrap()
}
