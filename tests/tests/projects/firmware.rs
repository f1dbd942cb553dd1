//! Tests the firmware for the controller, run in QEMU with a simulated array at the other end of its link.

use std::env;
use std::error::Error;
use std::fmt::Debug;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use cain_firmware::{kernels, session};
use cain_runtime::device::{Board, DeviceError, LinkError, Loopback, Transport};
use cain_runtime::io::Size;
use cain_runtime::sim::{Array, Camera, FrameSource};

use super::project::{Project, printed, target};

/// A Cortex-M0, as on the board of SCAMP-5.
const TARGET: &str = "thumbv6m-none-eabi";
const EMULATOR: &str = "qemu-system-arm";
/// The firmware as a package of its own, with the features with which the macro is compiled for other projects.
const MANIFEST: &str = "\
[dependencies]
cain-runtime = { path = \"WORKSPACE/cain-runtime\", default-features = false, features = [\"programs\", \"device\", \"serde\"] }
[target.'cfg(target_os = \"none\")'.dependencies]
cortex-m-rt = \"0.7\"
semihosting = { version = \"0.1\", features = [\"stdio\"] }
[profile.dev]
opt-level = \"s\"
";
/// Its files.
const FILES: [&str; 4] = ["src", "plans", "build.rs", "memory.x"];
/// The longest time that the controller may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// Every byte that leaves the controller equals that of the same session on the host, including every word of every
/// kernel.
///
/// The linker gives the firmware 12 KiB of RAM; data and stack must fit, or it would end in a fault.
#[test]
fn the_controller_sends_what_the_host_sends() -> Result<(), Box<dyn Error>> {
    if let Some(missing) = missing() {
        return Ok(cain_tests::skipped("the firmware on an emulated controller", &missing)?);
    }
    let (mut emulator, mut link) = start(&build()?)?;
    let mut board = board();
    let end = loop {
        if let Err(end) = board.answer(&mut link) {
            break end;
        }
    };
    assert_eq!(end, DeviceError::Link(LinkError::Closed), "{:?}", board.last_error());
    assert!(emulator.0.wait()?.success(), "the session failed on the controller");

    let mut host = Loopback::new(self::board());
    session::<true>(&mut host, &kernels::ALL).map_err(|error| error.to_string())?;
    let (sent, heard) = (host.sent(), link.heard.as_slice());
    assert!(sent == heard, "the host has sent {} bytes, and the controller {} other ones", sent.len(), heard.len());
    Ok(())
}

/// The tool that the test needs and this machine lacks, with instructions to install it.
fn missing() -> Option<String> {
    if Command::new(EMULATOR).arg("--version").stdout(Stdio::null()).status().is_err() {
        return Some(format!("{EMULATOR} is not installed; apt install {EMULATOR}"));
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let found = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output().ok()?;
    let folder = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
    (!folder.is_dir()).then(|| format!("Rust for {TARGET} is not installed; rustup target add {TARGET}"))
}

/// Compiles the firmware, with the checks of the development profile. All of its programs are pinned.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("examples").join("firmware");
    let mut texts = Vec::new();
    for path in FILES.map(|name| folder.join(name)) {
        let files = if path.is_dir() {
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?
        } else {
            vec![path]
        };
        for file in files {
            texts.push((file.strip_prefix(&folder)?.to_str().ok_or("no name")?.to_owned(), fs::read_to_string(&file)?));
        }
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (&**path, &**text)).collect();
    let project = Project::new("cain-firmware", MANIFEST, &texts);
    let mut command = project.command("build");
    command.args(["--quiet", "--target", TARGET]).env_remove("FIRMWARE_KERNEL");
    printed(command);
    Ok(target().join(TARGET).join("debug/cain-firmware"))
}

/// A board that looks at a picture with an edge.
fn board() -> Board<Camera<impl FrameSource<Error: Debug>>> {
    let scene = |size: Size, light: &mut [f32]| {
        light.chunks_mut(size.width).for_each(|row| row[4..].fill(100.0));
    };
    Board::new(Camera::new(Array::new(16, 16), scene))
}

/// Starts the firmware, with its link as standard input and output.
fn start(firmware: &Path) -> Result<(Emulator, Link), Box<dyn Error>> {
    let (stream, theirs) = UnixStream::pair()?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let theirs = OwnedFd::from(theirs);
    let child = Command::new(EMULATOR)
        .args(["-machine", "microbit", "-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(firmware)
        .stdin(theirs.try_clone()?)
        .stdout(theirs)
        .spawn()?;
    Ok((Emulator(child), Link { stream, heard: Vec::new() }))
}

/// The emulator; it ends with the test, even if that fails.
struct Emulator(Child);

impl Drop for Emulator {
    fn drop(&mut self) {
        // These fail only if the emulator has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The array's end of the link, which records everything that it receives.
struct Link {
    stream: UnixStream,
    heard: Vec<u8>,
}

impl Transport for Link {
    fn write(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.stream.write_all(bytes).map_err(|error| failure(&error))
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        match self.stream.read(buffer) {
            Ok(0) => Err(LinkError::Closed),
            Ok(count) => {
                self.heard.extend_from_slice(&buffer[..count]);
                Ok(count)
            }
            Err(error) => Err(failure(&error)),
        }
    }
}

fn failure(error: &io::Error) -> LinkError {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => LinkError::TimedOut,
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => LinkError::Closed,
        _ => LinkError::Failed,
    }
}
