//! What builds keep of their searches, so that the next build need not search again.
//!
//! Below the target folder of the build under way stands a folder of plan files, one for each search, named after all that the
//! search depends on: the declaration, all its options, and the version of the search. Nothing else depends on them. What is
//! read back is proved again, as every plan is, and an entry that has anything wrong with it is ignored and replaced. The
//! first line has a digest of the rest, because a plan says more than what is proved: how its program was found, and that the
//! search found no better one.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Debug, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::draft::Draft;
use crate::plan_file::{MAX_BYTES, PlanFile};
use crate::text_file;

/// The name of the folder below the target folder.
const FOLDER: &str = "cain";
/// What cargo writes into the folder of a profile before it compiles anything.
const FINGERPRINTS: &str = ".fingerprint";

/// The folder in which builds keep plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// What a search depends on, as the name of its entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    name: String,
    digits: u64,
}

impl Key {
    /// The search for the programs of a declaration of that name; `asked` shows everything that it depends on.
    pub(crate) fn of(name: &str, asked: &dyn Debug) -> Self {
        let mut hash = Fnv::default();
        // Writing to a hash cannot fail.
        let _ = write!(hash, "{} {} {asked:?}", cain_search::VERSION, env!("CARGO_PKG_VERSION"));
        Self { name: name.to_owned(), digits: hash.0 }
    }
}

impl Cache {
    /// The cache of the build in which this process is a compiler or a build script; `None` if it is not sure where cargo
    /// keeps what it builds.
    #[must_use]
    pub fn of_build() -> Option<Self> {
        let Arguments { written, dependencies } = Arguments::of(env::args_os());
        let known = written.into_iter().chain(env::var_os("OUT_DIR")).chain(dependencies);
        let mut known = known.filter_map(|path| std::path::absolute(path).ok());
        known.find_map(|path| target(&path).map(Self::below))
    }

    /// The cache below a target folder.
    pub(crate) fn below(target: &Path) -> Self {
        Self { folder: target.join(FOLDER) }
    }

    /// The plan that was kept, which remains to be verified.
    pub(crate) fn read(&self, key: &Key) -> Option<PlanFile> {
        let text = text_file::read(&self.file(key), MAX_BYTES).ok().filter(|_| self.is_folder())?;
        let plan = PlanFile::parse(&text).ok()?;
        (text == entry(key, &plan)).then_some(plan)
    }

    /// Keeps a plan. If that fails, the next build searches again, and nothing else is different.
    pub(crate) fn write(&self, key: &Key, plan: &PlanFile) {
        let text = entry(key, plan);
        if u64::try_from(text.len()).is_ok_and(|length| length <= MAX_BYTES) {
            let _ = self.replace(&self.file(key), &text);
        }
    }

    fn file(&self, Key { name, digits }: &Key) -> PathBuf {
        self.folder.join(format!("{name}.{digits:016x}.scamp"))
    }

    /// Whether the folder is one, rather than a link to another place.
    fn is_folder(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok_and(|found| found.is_dir())
    }

    /// Replaces a file completely or not at all, whoever else does the same.
    fn replace(&self, file: &Path, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        if !self.is_folder() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Draft::new(&self.folder, text.as_bytes())?.replace(file)
    }
}

/// The text of an entry.
fn entry(key: &Key, plan: &PlanFile) -> String {
    let text = plan.to_string();
    let (_, rest) = text.split_once('\n').unwrap_or_default();
    let mut digest = Fnv::default();
    let _ = write!(digest, "{} {rest}", key.digits);
    format!("{}, kept by a build, digest {:016x}\n{rest}", PlanFile::begin(), digest.0)
}

/// What the arguments of a compiler tell of folders.
///
/// Cargo has rustdoc write documentation where no profile is, and has it write nothing where it tests documentation, whose
/// programs are compiled in temporary folders. But it always tells where the dependencies are that it has compiled for that.
#[derive(Debug, Default)]
struct Arguments {
    /// Where it writes to.
    written: Option<OsString>,
    /// The folders in which dependencies are, and their files.
    dependencies: Vec<OsString>,
}

impl Arguments {
    fn of(arguments: impl Iterator<Item = OsString>) -> Self {
        let mut found = Self::default();
        found.add(arguments, true);
        found
    }

    /// Adds those of a list, and of the files that have more of them, one in each line.
    fn add(&mut self, mut arguments: impl Iterator<Item = OsString>, takes_files: bool) {
        while let Some(argument) = arguments.next() {
            let Some(text) = argument.to_str() else { continue };
            if let Some(file) = text.strip_prefix('@').filter(|_| takes_files) {
                let more = text_file::read(Path::new(file), MAX_BYTES).unwrap_or_default();
                self.add(more.lines().map(OsString::from), false);
                continue;
            }
            let mut value_of = |option: &str| {
                let value = text.strip_prefix(option)?;
                if value.is_empty() { arguments.next() } else { Some(value.strip_prefix('=').unwrap_or(value).into()) }
            };
            if let Some(folder) = value_of("--out-dir") {
                self.written.get_or_insert(folder);
            } else if let Some(value) = value_of("-L") {
                self.dependencies.extend(behind(&value, "dependency="));
            } else if let Some(value) = value_of("--extern") {
                self.dependencies.extend(value.to_str().and_then(|value| Some(value.split_once('=')?.1.into())));
            }
        }
    }
}

/// What stands behind the beginning of a text.
fn behind(text: &OsStr, beginning: &str) -> Option<OsString> {
    Some(text.to_str()?.strip_prefix(beginning)?.into())
}

/// The target folder that a folder is in, or the part of it for a target platform: where the folders of the profiles are.
/// What cargo marks target folders with is not there in each: it marks none that it did not create, and writes what it knows
/// of the compiler when it ends, but not where it becomes the program that it ran.
fn target(written: &Path) -> Option<&Path> {
    written.ancestors().find(|folder| folder.join(FINGERPRINTS).is_dir())?.parent()
}

/// The hash FNV-1a of 64 bits: the same on every machine.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{fs, thread};

    use proc_macro2::TokenStream;

    use super::{Arguments, Cache, Key, entry, target};
    use crate::plan_file::PlanFile;
    use crate::plans::{Mode, Plans};

    const KERNEL: &str = "[rt] #[search(isa = macro, offset = any, max_gain = any, nodes = 300)] pub fn mean(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];";

    /// The expansion of a kernel with what is kept in a folder, or without keeping anything.
    fn expand(text: &str, cache: Option<&Cache>) -> String {
        let plans = Plans { cache: cache.cloned(), ..Plans::new(Mode::Auto, None) };
        crate::expand_with(text.parse::<TokenStream>().unwrap(), |_| None, &plans).to_string()
    }

    /// The only entry of a cache: its path and its text.
    fn only(cache: &Cache) -> (std::path::PathBuf, String) {
        let files: Vec<_> = fs::read_dir(&cache.folder).unwrap().map(|file| file.unwrap().path()).collect();
        let [file] = files.as_slice() else { panic!("{files:?}") };
        (file.clone(), fs::read_to_string(file).unwrap())
    }

    /// The number that an entry is named after.
    fn key_of(file: &Path) -> Key {
        let digits = file.file_stem().unwrap().to_str().unwrap().rsplit('.').next().unwrap();
        Key { name: "mean".to_owned(), digits: u64::from_str_radix(digits, 16).unwrap() }
    }

    #[test]
    fn expansions_are_the_same_with_without_and_with_a_damaged_cache() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::below(folder.path());
        let fresh = expand(KERNEL, None);
        assert_eq!(expand(KERNEL, Some(&cache)), fresh);
        let (file, kept) = only(&cache);
        assert!(kept.starts_with("# cain plan v2, kept by a build, digest "), "{kept}");
        assert_eq!(expand(KERNEL, Some(&cache)), fresh);
        // What is damaged, or was kept for another search, is replaced.
        let key = key_of(&file);
        let plan = PlanFile::parse(&kept).unwrap();
        let changed = |old: &str, new: &str| PlanFile::parse(&kept.replacen(old, new, 1)).unwrap();
        let other = Key { digits: 7, ..key.clone() };
        let mut wrong: Vec<String> = (0..kept.len()).step_by(7).map(|end| kept[..end].to_owned()).collect();
        wrong.extend(
            [("v2", "v1"), ("v2", "v3"), ("nodes=", "nodes=1"), ("east", "west")]
                .map(|(old, new)| kept.replacen(old, new, 1)),
        );
        wrong.extend(["\0".repeat(100), plan.to_string(), entry(&other, &plan), format!("{kept}\n")]);
        // Somebody has made the digest right.
        wrong.extend(
            [("east", "west"), ("macros=", "macros=1"), ("mean(", "mode(")]
                .map(|(old, new)| entry(&key, &changed(old, new))),
        );
        for wrong in wrong {
            fs::write(&file, &wrong).unwrap();
            assert_eq!(expand(KERNEL, Some(&cache)), fresh, "{wrong}");
            assert_eq!(only(&cache), (file.clone(), kept.clone()), "{wrong}");
        }
    }

    /// A program that no search would find shows that there was none.
    #[test]
    fn what_is_kept_is_not_searched_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::below(folder.path());
        let fresh = expand(KERNEL, Some(&cache));
        let (file, kept) = only(&cache);
        let head = kept.split("\n\n").next().unwrap();
        let costs = head.lines().find(|line| line.starts_with("cost: ")).unwrap();
        let head = head.replace(costs, "cost: macros=4 icws=8 peak_gain=1").replace("stop=proved", "stop=nodes");
        let longer = format!("{head}\n\nmov(D,A);\ndivq(C,A);\nmovx(B,C,east);\nadd(B,B,C);\n");
        cache.write(&key_of(&file), &PlanFile::parse(&longer).unwrap());
        let kept = expand(KERNEL, Some(&cache));
        assert!(kept != fresh && !kept.contains("compile_error"), "{kept}");
        // Other options are another search.
        for (old, new) in [("nodes = 300", "nodes = 301"), ("max_gain = any", "max_gain = 2"), ("mean", "average")] {
            let other = KERNEL.replace(old, new);
            assert_eq!(expand(&other, Some(&cache)), expand(&other, None));
        }
        assert_eq!(fs::read_dir(&cache.folder).unwrap().count(), 4);
    }

    #[test]
    fn nothing_is_different_where_nothing_can_be_kept() {
        let folder = tempfile::tempdir().unwrap();
        let fresh = expand(KERNEL, None);
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache::below(&file);
        assert_eq!(expand(KERNEL, Some(&cache)), fresh);
        #[cfg(unix)]
        {
            let (here, elsewhere) = (folder.path().join("here"), folder.path().join("elsewhere"));
            fs::create_dir(&here).unwrap();
            fs::create_dir(&elsewhere).unwrap();
            std::os::unix::fs::symlink(&elsewhere, here.join(super::FOLDER)).unwrap();
            assert_eq!(expand(KERNEL, Some(&Cache::below(&here))), fresh);
            assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
        }
    }

    #[test]
    fn builds_at_once_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::below(folder.path());
        let fresh = expand(KERNEL, None);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..4).for_each(|_| assert_eq!(expand(KERNEL, Some(&cache)), fresh)));
            }
        });
        only(&cache);
    }

    #[test]
    fn the_target_folder_has_the_folders_of_profiles() {
        let folder = tempfile::tempdir().unwrap();
        let target_folder = folder.path().join("target/x86_64");
        let written = ["deps", "build/user-1/out"].map(|path| target_folder.join("debug").join(path));
        for written in &written {
            fs::create_dir_all(written).unwrap();
            assert_eq!(target(written), None);
        }
        fs::create_dir(target_folder.join("debug/.fingerprint")).unwrap();
        assert!(written.iter().all(|written| target(written) == Some(&target_folder)));
    }

    #[test]
    fn compilers_are_told_where_dependencies_are() {
        let folders = |text: &str| {
            let Arguments { written, dependencies } = Arguments::of(text.split(' ').map(Into::into));
            written.into_iter().chain(dependencies).collect::<Vec<_>>()
        };
        for (arguments, expected) in [
            ("rustc --crate-name a --out-dir /t/deps -L x", &["/t/deps"][..]),
            ("rustc --out-dir=/t/deps -L dependency=/u/deps", &["/t/deps", "/u/deps"]),
            ("rustdoc --crate-name a -o /t/doc -L dependency=/t/debug/deps", &["/t/debug/deps"]),
            (
                "rustdoc --test a.rs -L native=/x -Ldependency=/t/deps --extern a=/t/liba.rlib",
                &["/t/deps", "/t/liba.rlib"],
            ),
            ("rustc --extern proc_macro --extern=priv:a=/t/liba.rmeta -o /tmp/a", &["/t/liba.rmeta"]),
            ("rust-analyzer proc-macro", &[]),
            ("rustc --out-dir", &[]),
            ("rustc @/there/is/none", &[]),
        ] {
            assert_eq!(folders(arguments), expected, "{arguments}");
        }
        // A file of arguments has no files of arguments.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("arguments");
        fs::write(&file, format!("--cfg=x\n-Ldependency=/t/deps\n@{}\n--extern=a=/t/my liba.rlib\n", file.display()))
            .unwrap();
        assert_eq!(folders(&format!("rustc @{} -o a", file.display())), ["/t/deps", "/t/my liba.rlib"]);
    }
}
