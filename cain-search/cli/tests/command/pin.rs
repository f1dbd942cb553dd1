//! Tests of `cain pin`: from sources to plan files.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use cain_isa::Stop;

use crate::{Folder, Run};

const MANIFEST: &str = "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

const GAUSS: &str = "#[search(isa = macro, offset = any, max_gain = any)] fn gauss(A) -> A using (B, C, D) = \
                     1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];";

/// A package whose library declares these filters.
fn package(kernels: &str) -> Folder {
    let folder = Folder(tempfile::tempdir().unwrap());
    folder.write("Cargo.toml", MANIFEST);
    folder.write("src/lib.rs", &format!("cain_runtime::scamp_kernels! {{ {kernels} }}"));
    folder
}

impl Folder {
    /// The names of the files in a folder.
    fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Run {
    /// The last column of the table: the outcome for each plan.
    #[track_caller]
    fn changes(self) -> Vec<String> {
        let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let table = self.good();
        let rows: Vec<_> = table.lines().skip(2).take_while(|line| !line.starts_with("written ")).map(cells).collect();
        rows.iter().map(|row| format!("{} {}", row[0], row[row.len() - 1])).collect()
    }
}

#[test]
fn plans_are_written_once_and_kept() {
    let folder = package(&format!(
        "{GAUSS} #[search(nodes = 100, isa = macro, max_gain = any)] fn north(A) -> A using () = [[1], [0], [0]];"
    ));
    assert_eq!(
        folder.cain(&["pin", "--check"]).bad(),
        [
            "src/lib.rs:1:88: filter `gauss`: there is no plan `plans/gauss.scamp`; run `cain pin`",
            "src/lib.rs:1:217: filter `north`: there is no plan `plans/north.scamp`; run `cain pin`",
        ]
    );
    assert_eq!(folder.cain(&["pin"]).changes(), ["gauss new", "north new"]);
    assert_eq!(folder.list("plans"), ["gauss.scamp", "north.scamp"]);
    let north = "\
        # cain plan v2, written by `cain pin`: change the declaration, not this file\n\
        declaration: north(A) -> (A) using () { A = [1; 0; 0] * A; }\n\
        isa: macro\n\
        objective: macros\n\
        offset: cancelled\n\
        cost: macros=1 icws=2 peak_gain=1\n";
    assert!(folder.read("plans/north.scamp").starts_with(north), "{}", folder.read("plans/north.scamp"));
    assert!(folder.read("plans/north.scamp").ends_with("\n\nmovx(A,A,north);\n"));

    let before = folder.read("plans/gauss.scamp");
    assert_eq!(folder.cain(&["pin", "--again", "--threads", "1"]).changes(), ["gauss kept", "north kept"]);
    assert_eq!(folder.read("plans/gauss.scamp"), before);
    assert_eq!(folder.cain(&["pin", "--check"]).good(), "2 of 2 plans are valid\n");
}

/// A plan with any kind of error is replaced; others are not.
#[test]
fn wrong_plans_are_found_and_renewed() {
    let folder = package(&format!("{GAUSS} fn north(A) -> A using () = [[1], [0], [0]];"));
    folder.cain(&["pin"]).good();
    let right = folder.read("plans/gauss.scamp");
    let wrong = [
        (right.replace("1/16", "1/8"), "plans/gauss.scamp:2:54: the plan is for another filter"),
        (
            right.replace("objective: macros", "objective: icws"),
            "plans/gauss.scamp:4:12: the plan is for another filter",
        ),
        (right.replacen("south", "north", 1), "plans/gauss.scamp:9:1: the program does not compute the filter"),
        (right[..right.len() / 2].to_owned(), "plans/gauss.scamp:"),
        (String::new(), "plans/gauss.scamp:1:1: the file ends here"),
        (
            right.replace("v2", "v1"),
            "plans/gauss.scamp:1:14: the plan has format 1, but this version of Cain reads only 2; run `cain pin`",
        ),
        ("\0".repeat(2 << 20), "plans/gauss.scamp: the plan is larger than 1048576 bytes"),
    ];
    for (contents, message) in wrong {
        folder.write("plans/gauss.scamp", &contents);
        let check = folder.cain(&["pin", "--check"]);
        assert!(matches!(check.bad()[..], [line] if line.starts_with(message)), "{}", check.stderr);
        assert_eq!(folder.read("plans/gauss.scamp"), contents);
        assert_eq!(folder.cain(&["pin"]).changes(), ["gauss renewed", "north kept"]);
        assert_eq!(folder.read("plans/gauss.scamp"), right);
    }
    let newer = right.replace("v2", "v3");
    folder.write("plans/gauss.scamp", &newer);
    assert!(folder.cain(&["pin"]).bad()[0].starts_with("plans/gauss.scamp:1:14: the plan has format 3"));
    assert_eq!(folder.read("plans/gauss.scamp"), newer);
}

/// A valid program stays if the search finds nothing better, however its file was edited.
#[test]
fn nothing_becomes_worse() {
    let kernel = "#[search(isa = macro, offset = any, max_gain = any)] fn sobel(&A) -> (B, C) using (D, E) { B = [[1, 0, -1], [2, 0, -2], [1, 0, -1]]; \
                  C = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]]; }";
    let folder = package(kernel);
    folder.cain(&["pin", "--nodes", "20_000"]).good();
    let long = folder.read("plans/sobel.scamp");
    let listing = long.split_once("\n\n").unwrap().1;
    assert_eq!(folder.cain(&["pin", "--nodes", "1", "--again"]).changes(), ["sobel kept"]);
    assert_eq!(folder.read("plans/sobel.scamp"), long);

    fs::remove_file(folder.path("plans/sobel.scamp")).unwrap();
    folder.cain(&["pin", "--nodes", "1"]).good();
    assert_ne!(folder.read("plans/sobel.scamp").split_once("\n\n").unwrap().1, listing);
    let run = folder.cain(&["pin", "--nodes", "20_000"]);
    assert_eq!(run.changes(), ["sobel better"]);

    folder.write("plans/sobel.scamp", &long.replace("cost: macros=", "cost: macros=1"));
    assert_eq!(folder.cain(&["pin", "--nodes", "1"]).changes(), ["sobel renewed"]);
    assert_eq!(folder.read("plans/sobel.scamp").split_once("\n\n").unwrap().1, listing);
}

#[test]
fn filters_are_found_everywhere_in_a_package() {
    let folder = package("fn a(A) -> B using () = [[1]];");
    folder.write("src/deep.rs", "mod m { fn f() { scamp_kernels! { fn b(A) -> B using () = [[1]]; } } }");
    folder.write("tests/t.rs", "scamp_kernels!(file = \"../filters/edges.toml\");");
    folder.write("filters/edges.toml", "[c]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n");
    folder.write("build.rs", "fn main() { cain_build::compile(\"more.toml\").unwrap() }");
    folder.write("more.toml", "[d]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n");
    folder.write("unused.toml", "[e]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n");
    folder.write("built/CACHEDIR.TAG", "");
    folder.write("built/x.rs", "scamp_kernels! { fn f(A) -> B using () = [[1]]; }");
    folder.write(".hidden/x.rs", "scamp_kernels! { fn g(A) -> B using () = [[1]]; }");
    folder.write("member/Cargo.toml", MANIFEST);
    folder.write("member/src/lib.rs", "scamp_kernels! { fn h(A) -> B using () = [[1]]; }");
    // Another filter with the same declaration has the same plan.
    folder.write("examples/x.rs", "scamp_kernels! { fn a(A) -> B using () = [[1]]; }");
    assert_eq!(folder.cain(&["pin"]).changes(), ["a new", "b new", "c new", "d new"]);
    assert_eq!(folder.list("plans"), ["a.scamp", "b.scamp", "c.scamp", "d.scamp"]);
    // Other packages are not affected.
    assert_eq!(folder.list("member"), ["Cargo.toml", "src"]);
    assert_eq!(folder.cain(&["pin", "unused.toml", "--plans", "elsewhere"]).changes(), ["e new"]);
    assert_eq!(folder.list("elsewhere"), ["e.scamp"]);
}

/// Several modules have filters of the same name, and some names are equal on some file systems.
#[test]
fn namesakes_have_plans_of_their_own() {
    let folder = package("fn same(A) -> B using () = [[1]]; fn fine(A) -> B using () = [[1]];");
    folder.cain(&["pin"]).good();
    assert_eq!(folder.list("plans"), ["fine.scamp", "same.scamp"]);
    folder.write("src/other.rs", "scamp_kernels! { fn Same(A) -> C using () = [[1]]; }");
    let twins =
        "#[cfg(unix)] fn same(A) -> B using () = [[1, 0, 0]]; #[cfg(not(unix))] fn same(A) -> C using () = [[1]];";
    folder.write("src/twins.rs", &format!("scamp_kernels! {{ {twins} }}"));
    let planned = folder.cain(&["pin", "--dry-run"]).good();
    let renamed: Vec<_> =
        planned.lines().filter(|line| line.starts_with("would rename plans/same.scamp to plans/same.")).collect();
    assert!(renamed.len() == 1 && planned.matches("would write ").count() == 3, "{planned}");
    let pinned = folder.cain(&["pin"]);
    assert!(pinned.succeeded && pinned.stderr.is_empty(), "{}", pinned.stderr);
    // The earlier one has another name now.
    let changes = ["Same new", "fine kept", "same kept", "same new", "same new"];
    let mut rows: Vec<String> = pinned.changes();
    rows.sort();
    assert_eq!(rows, changes);
    let plans = folder.list("plans");
    let of = |name: &str| plans.iter().filter(|plan| plan.starts_with(&format!("{name}."))).count();
    assert_eq!((of("fine"), of("same"), of("Same"), plans.len()), (1, 3, 1, 5), "{plans:?}");
    assert!(!plans.contains(&"same.scamp".to_owned()), "{plans:?}");
    assert!(folder.cain(&["pin", "--check"]).succeeded);
    let built = folder.command(&["generate", "src/other.rs"]).env("CAIN_PLANS", "locked").output().unwrap();
    assert!(built.status.success());
    assert!(folder.cain(&["show", "src/twins.rs"]).good().matches("from the plan plans/same.").count() == 2);

    // Once it is alone again, a filter has the plan of its name.
    folder.write("src/twins.rs", "");
    folder.write("src/other.rs", "");
    let alone = folder.cain(&["pin", "--prune"]).good();
    assert!(alone.lines().any(|line| line.starts_with("same ") && line.ends_with(" kept")), "{alone}");
    assert_eq!(folder.list("plans"), ["fine.scamp", "same.scamp"]);
}

/// A package whose library declares a filter of this name.
fn member(folder: &Folder, path: &str, manifest: &str, filter: &str) {
    let name = path.rsplit('/').next().unwrap();
    folder.write(
        &format!("{path}/Cargo.toml"),
        &format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n{manifest}"),
    );
    folder.write(
        &format!("{path}/src/lib.rs"),
        &format!("cain_runtime::scamp_kernels! {{ fn {filter}(A) -> B using () = [[1]]; }}"),
    );
}

/// The command selects packages like cargo: the package of the folder, or in a workspace its default members, unless
/// others are named.
#[test]
fn packages_of_a_workspace() {
    let workspace = |more: &str| {
        let folder = Folder(tempfile::tempdir().unwrap());
        let members = "members = [\"crates/*\", \"tools\"]\nexclude = [\"crates/out\"]";
        folder.write("Cargo.toml", &format!("[workspace]\n{members}\n{more}"));
        member(&folder, "crates/one", "[dependencies]\nlib = { path = \"../../lib\" }\nshared.workspace = true", "a");
        member(&folder, "crates/two", "", "b");
        member(&folder, "tools", "[target.'cfg(unix)'.dev-dependencies]\naway = { path = \"../../away\" }", "c");
        member(&folder, "lib", "", "d");
        member(&folder, "shared", "", "e");
        member(&folder, "checkout", "[workspace]", "f");
        member(&folder, "crates/one/nested", "", "g");
        folder.write("crates/readme.txt", "");
        folder
    };
    let shared = "[workspace.dependencies]\nshared = { path = \"shared\" }";
    let all = ["a", "b", "d", "e", "c"];
    let pinned = |folder: &Folder, here: &str, args: &[&str]| -> Vec<String> {
        let mut command = folder.command(&[&["pin", "--dry-run"], args].concat());
        let run: Run = command.current_dir(folder.path(here)).output().unwrap().into();
        let filter = |line: &str| line.rsplit('/').next().unwrap().split('.').next().unwrap().to_owned();
        run.good().lines().map(filter).collect()
    };
    let virtual_root = workspace(shared);
    for (here, args, expected) in [
        (".", &[][..], &all[..]),
        ("crates", &[], &all),
        (".", &["--workspace"], &all),
        ("crates/one", &[], &["a"]),
        ("crates/one/src", &[], &["a"]),
        ("crates/one", &["--workspace"], &all),
        ("crates/one", &["-p", "two", "--package", "tools"], &["b", "c"]),
        ("crates/one/nested", &[], &["g"]),
        ("checkout", &[], &["f"]),
        ("checkout", &["--workspace"], &["f"]),
        (".", &["crates/one"], &["a"]),
        (".", &["tools/src/lib.rs", "lib/src"], &["d", "c"]),
        ("lib", &[".."], &all),
    ] {
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        let mut found = pinned(&virtual_root, here, args);
        found.sort_unstable();
        assert_eq!(found, expected, "{here} {args:?}");
    }
    assert_eq!(pinned(&workspace(&format!("default-members = [\"tools\"]\n{shared}")), ".", &[]), ["c"]);
    let rooted = workspace(&format!("{shared}\n[package]\nname = \"root\"\nversion = \"0.1.0\""));
    rooted.write("src/lib.rs", "scamp_kernels! { fn r(A) -> B using () = [[1]]; }");
    assert_eq!(pinned(&rooted, ".", &[]), ["r"]);
    assert_eq!(pinned(&rooted, "lib", &["-p", "root"]), ["r"]);
    assert_eq!(pinned(&rooted, ".", &["--workspace"]).len(), 6);

    let unknown = virtual_root.cain(&["pin", "-p", "camera", "-p", "tool"]);
    let expected = "expected `one`, `two`, `lib`, `shared` or `tools`";
    assert_eq!(
        unknown.bad(),
        [
            &*format!("--package: unknown package `camera`; {expected}"),
            "--package: unknown package `tool`; did you mean `tools`?"
        ]
    );
    let missing = workspace("default-members = [\"gone\"]").cain(&["pin"]);
    assert!(
        missing.bad()[0].ends_with("Cargo.toml: the member `gone` of the workspace has no Cargo.toml"),
        "{}",
        missing.stderr
    );
    let broken = workspace("x = ").cain(&["pin"]);
    assert!(broken.bad()[0].contains("Cargo.toml:4:"), "{}", broken.stderr);
    assert!(!virtual_root.cain(&["pin", "src", "--workspace"]).succeeded);
    assert!(!virtual_root.path("tools/plans").exists());
}

/// Otherwise it would write to all folders below, whoever owns them.
#[test]
fn outside_of_a_package_nothing_is_written() {
    let folder = Folder(tempfile::tempdir().unwrap());
    member(&folder, "one", "", "a");
    member(&folder, "checkouts/two", "", "b");
    for args in [&["pin"][..], &["pin", "--workspace"], &["pin", "--check"], &["pin", "-p", "one"], &["pin", "--jobs"]]
    {
        assert_eq!(
            folder.cain(args).bad(),
            [
                "there is no Cargo.toml here or above; go into a package, or name packages, sources or kernel files, as in `cain \
                 pin filters.toml`"
            ]
        );
    }
    for path in [".", "checkouts"] {
        let expected = format!(
            "{path}: there is no Cargo.toml in it or above; name packages, sources or kernel files, or say with `--plans` where to \
             write the plans"
        );
        assert_eq!(folder.cain(&["pin", path]).bad(), [expected]);
    }
    assert!(!folder.path("one/plans").exists() && !folder.path("checkouts/two/plans").exists());
    assert_eq!(folder.cain(&["pin", "one"]).good().lines().last(), Some("written one/plans/a.scamp"));
    folder.write("loose/x.rs", "scamp_kernels! { fn c(A) -> B using () = [[1]]; }");
    assert_eq!(folder.cain(&["pin", "loose/x.rs"]).changes(), ["c new"]);
    assert_eq!(folder.cain(&["pin", "loose", "--plans", "kept"]).changes(), ["c new"]);
    assert_eq!(folder.list("kept"), ["c.scamp"]);
}

/// Files to be written are listed before, and written files afterwards.
#[test]
fn what_is_written_is_listed() {
    let folder = package("fn north(A) -> A using () = [[1], [0], [0]]; fn east(A) -> B using () = [[0, 0, 1]];");
    folder.write("src/bits.rs", "scamp_kernels! { #[search(isa = digital, bits = 1)] fn both(a, b) -> c = a & b; }");
    folder.write("plans/gone.scamp", "");
    let dry = folder.cain(&["pin", "--dry-run", "--prune"]).good();
    let all = ["both", "east", "north"];
    let lines = all.map(|name| format!("would write plans/{name}.scamp: new\n")).concat();
    assert_eq!(dry, format!("{lines}would remove plans/gone.scamp\n"));
    assert_eq!(folder.list("plans"), ["gone.scamp"]);

    let written = folder.cain(&["pin", "--nodes", "300", "--prune"]).good();
    let lines = all.map(|name| format!("written plans/{name}.scamp\n")).concat();
    assert!(written.ends_with(&format!("\n{lines}removed plans/gone.scamp\n")), "{written}");
    assert!(!folder.cain(&["pin", "--nodes", "300"]).good().contains("written "));

    folder.write("plans/both.scamp", "damaged");
    folder.write("plans/north.scamp", "damaged");
    assert_eq!(
        folder.cain(&["pin", "--dry-run", "--nodes", "300"]).good(),
        "would write plans/both.scamp: renewed\nwould write plans/north.scamp: renewed\n"
    );
    let again = folder.cain(&["pin", "--dry-run", "--again"]).good();
    assert!(
        again.contains("\nwould search for plans/east.scamp: only a better program replaces the one there\n"),
        "{again}"
    );
    assert_eq!(folder.read("plans/both.scamp"), "damaged");
}

/// A file system has 255 bytes for the name of a file.
#[test]
fn long_names_are_refused_where_they_are_read() {
    let folder = package(&format!("fn {}(A) -> B using () = [[1]];", "n".repeat(250)));
    let run = folder.cain(&["pin"]);
    let message =
        "src/lib.rs:1:35: the name `nnnnnnnnnnnnnnnnnnnnnnnnn…` has 250 characters; that of a filter has at most 100";
    assert_eq!(run.bad(), [message]);
    folder.write("src/lib.rs", &format!("scamp_kernels! {{ fn {}(A) -> B using () = [[1]]; }}", "n".repeat(100)));
    folder.cain(&["pin"]).good();
}

/// A filter that is excluded from every build is not searched for, and may contain errors.
#[test]
fn filters_that_are_never_compiled() {
    let folder = package("#[cfg(any())] fn bad(A) -> B = [[1/5]]; #[cfg(unix)] fn good(A) -> B using () = [[1]];");
    folder.write("src/off.rs", "#![cfg(any())]\nscamp_kernels! { fn off(A) -> B = [[1/5]]; }");
    assert_eq!(folder.cain(&["pin"]).changes(), ["good new"]);
    assert_eq!(folder.cain(&["compile", "src/lib.rs"]).good().lines().skip(2).count(), 1);
}

/// Two programs of a package declare different filters of the same name, and one of the programs is pinned: the build
/// of the other one searches.
#[test]
fn one_of_two_programs_is_pinned() {
    for [first, second] in [
        ["fn same(A) -> B using () = [[1]];", "fn same(A) -> B using () = [[1, 0, 0]];"],
        [
            "#[search(isa = digital, bits = 1, nodes = 200)] fn same(A) -> B = [[1, 0, 0]];",
            "#[search(isa = digital, bits = 1, nodes = 200)] fn same(A) -> B = !A;",
        ],
    ] {
        let folder = package("");
        let program = |filter: &str| format!("scamp_kernels! {{ {filter} }} fn main() {{}}");
        let generated = |file: &str, plans: &str| {
            Run::from(folder.command(&["generate", file]).env("CAIN_PLANS", plans).output().unwrap())
        };
        folder.write("src/bin/first.rs", &program(first));
        folder.cain(&["pin", "src/bin/first.rs"]).good();
        assert_eq!(folder.list("plans"), ["same.scamp"]);

        // The plan is kept under a name for which the other filter does not look.
        folder.write("src/bin/second.rs", &program(second));
        assert_eq!(folder.cain(&["pin", "src/bin/first.rs"]).changes(), ["same kept"]);
        let plans = folder.list("plans");
        assert!(matches!(&plans[..], [plan] if plan != "same.scamp"), "{plans:?}");
        generated("src/bin/first.rs", "locked").good();
        generated("src/bin/second.rs", "auto").good();
        assert!(generated("src/bin/second.rs", "locked").bad().concat().contains("has no plan"));

        folder.cain(&["pin", "src/bin/second.rs"]).good();
        assert_eq!(folder.list("plans").len(), 2);
        generated("src/bin/first.rs", "locked").good();
        generated("src/bin/second.rs", "locked").good();
        assert!(folder.cain(&["pin", "--check"]).succeeded);

        // A filter whose name is unique must have the right plan.
        folder.write("src/bin/second.rs", "");
        folder.cain(&["pin", "--prune"]).good();
        assert_eq!(folder.list("plans"), ["same.scamp"]);
        folder.write("src/bin/first.rs", &program(second));
        let stale = generated("src/bin/first.rs", "auto");
        assert!(stale.bad().concat().contains("the plan is for another filter or other options"), "{}", stale.stderr);
        assert!(stale.stderr.contains("run `cain pin`"), "{}", stale.stderr);
    }
}

/// The search for a slow digital filter runs beside the others.
#[test]
#[cfg(unix)]
fn digital_filters_do_not_wait_for_each_other() {
    let search = "#[search(isa = digital, bits = 4, nodes = 1_000_000_000)]";
    let folder = package(&format!(
        "{search} fn long(A) -> B = [[-1, -2, -2], [1, 0, 1], [1, 0, 1]]; {search} fn short(A) -> B = [[2]];"
    ));
    let mut command = folder.command(&["pin", "--threads", "2"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !folder.path("plans/short.scamp").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "all were searched for first");
        sleep(Duration::from_millis(10));
    }
    assert!(!folder.path("plans/long.scamp").exists());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn mistakes_are_reported_and_the_rest_is_pinned() {
    let folder = package("fn wrong(A) -> B = [[1/5]]; fn right(A) -> B using () = [[1]];");
    folder.write("plans/gone.scamp", "");
    let run = folder.cain(&["pin", "--prune"]);
    let [mistake, pruned] = run.bad()[..] else { panic!("{}", run.stderr) };
    assert!(mistake.starts_with("src/lib.rs:1:55: denominator 5 is not made of twos and threes"), "{mistake}");
    assert_eq!(pruned, "no plan is removed while the sources have mistakes");
    assert_eq!(folder.list("plans"), ["gone.scamp", "right.scamp"]);

    let run = package("").cain(&["pin"]);
    assert_eq!(run.bad(), ["no filters found in `.`; name sources, kernel files, or folders with them"]);
    let run = package(GAUSS).cain(&["pin", "nowhere"]);
    assert!(run.bad()[0].starts_with("nowhere: cannot be read: "), "{}", run.stderr);
}

#[test]
fn plans_without_filters() {
    let folder = package("fn north(A) -> A using () = [[1], [0], [0]];");
    folder.write("plans/gone.scamp", "");
    folder.write("plans/README.md", "");
    let run = folder.cain(&["pin"]);
    assert!(run.succeeded, "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "plans/gone.scamp: nothing declared has this name; remove the plan with `cain pin --prune`\n"
    );
    assert!(!folder.cain(&["pin", "src", "--prune"]).succeeded);
    assert_eq!(folder.list("plans"), ["README.md", "gone.scamp", "north.scamp"]);
    assert!(folder.cain(&["pin", "--prune"]).good().ends_with("removed plans/gone.scamp\n"));
    assert_eq!(folder.list("plans"), ["README.md", "north.scamp"]);
}

/// The compiler cannot depend on a file that does not exist yet, so the source has to look changed.
#[test]
fn sources_with_new_plans_are_marked_as_changed() {
    let folder = package("fn north(A) -> A using () = [[1], [0], [0]];");
    let source = folder.path("src/lib.rs");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set = || fs::File::options().append(true).open(&source).unwrap().set_modified(long_ago).unwrap();
    let modified = || fs::metadata(&source).unwrap().modified().unwrap();
    set();
    folder.cain(&["pin"]).good();
    assert_ne!(modified(), long_ago);
    set();
    folder.cain(&["pin", "--again"]).good();
    assert_eq!(modified(), long_ago);
}

/// Several processes run at once with different budgets: in the end, the best program is there, and no other file.
#[test]
fn processes_that_write_at_once_lose_nothing() {
    let folder = package(GAUSS);
    let budgets = ["1", "20", "2000", "300", "5", "1000"];
    let start = |nodes: &&str| {
        let mut command = folder.command(&["pin", "--nodes", nodes, "--again", "--threads", "1"]);
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    for mut process in budgets.iter().map(start).collect::<Vec<_>>() {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(folder.list("plans"), ["gauss.scamp"]);
    let plan = folder.read("plans/gauss.scamp");
    assert!(plan.contains("\nproved: instructions>=8\n") && plan.contains("macros=8 "), "{plan}");
}

#[test]
fn folders_that_cannot_be_written_to() {
    let folder = package(&format!("{GAUSS} fn north(A) -> A using () = [[1], [0], [0]];"));
    folder.write("plans", "a file");
    let run = folder.cain(&["pin"]);
    // Plans in a folder that is not one cannot be read either.
    assert!(run.bad().iter().all(|line| line.starts_with("plans")), "{}", run.stderr);
    assert_eq!(folder.read("plans"), "a file");
    let run = folder.cain(&["pin", "--plans", "plans/deeper"]);
    assert!(!run.succeeded && run.stdout.is_empty(), "{}", run.stdout);
}

/// The programs found until then are kept, and the next run continues from there.
#[test]
#[cfg(unix)]
fn ctrl_c_keeps_what_was_found() {
    let folder = package(
        "\n\
        fn easy(A) -> A using () = [[1], [0], [0]];\n\
        #[search(nodes = 1_000_000_000, patience = any, isa = macro, offset = any, max_gain = any)]\n\
        fn hard(&A) -> B = 1/64 * [[13, 7, 5], [1, 22, 9], [4, 11, 25]];\n\
        fn last(A) -> B = [[0, 0, 1]];\n",
    );
    let mut command = folder.command(&["pin", "--threads", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("plans/easy.scamp").exists() {
        sleep(Duration::from_millis(10));
    }
    // The next search needs a moment to find its first program.
    sleep(Duration::from_secs(1));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        Run::from(output).bad(),
        [
            "src/lib.rs:5:4: filter `last`: not searched because of Ctrl-C",
            "src/lib.rs:4:4: filter `hard`: searched only until Ctrl-C; run `cain pin` again",
        ]
    );
    assert_eq!(folder.list("plans"), ["easy.scamp", "hard.scamp"]);
    assert!(folder.read("plans/hard.scamp").contains(&format!(" stop={}\n", Stop::Interrupted)));
    assert_eq!(folder.cain(&["pin", "--nodes", "100"]).changes(), ["easy kept", "hard kept", "last new"]);
}

#[test]
fn filters_of_macros_are_mentioned() {
    let folder = package(GAUSS);
    folder.write(
        "src/other.rs",
        "macro_rules! shift {\n    ($name:ident) => { cain_runtime::scamp_kernels! { fn $name(A) -> B = [[1]]; } };\n}\nshift!(a);\n",
    );
    for args in [&["pin"][..], &["pin", "--check"]] {
        let run = folder.cain(args);
        assert!(run.succeeded, "{}", run.stderr);
        assert_eq!(
            run.stderr,
            "src/other.rs:1:14: filters that the macro `shift` declares are not found and get no plans; declare them \
             without it, or in a kernel file\n"
        );
    }
}

/// The macro reads plans of the package being compiled, wherever the kernel file is.
#[test]
fn a_kernel_file_outside_of_the_package() {
    let folder = Folder(tempfile::tempdir().unwrap());
    folder.write("user/Cargo.toml", MANIFEST);
    folder.write("user/src/lib.rs", "cain_runtime::scamp_kernels!(file = \"../../shared/edges.toml\");");
    folder.write("shared/edges.toml", "[c]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n");
    assert_eq!(folder.cain(&["pin", "user"]).changes(), ["c new"]);
    assert_eq!(folder.list("user/plans"), ["c.scamp"]);
    assert_eq!(folder.list("shared"), ["edges.toml"]);
    folder.write("user/src/lib.rs", "cain_runtime::scamp_kernels!(file = \"../../nowhere/edges.toml\");");
    let run = folder.cain(&["pin", "user"]);
    assert!(
        matches!(run.bad()[..], [line] if line.starts_with("user/src/../../nowhere/edges.toml: cannot be read: ")),
        "{}",
        run.stderr
    );
}

/// A limit on the size of files fails like a full disk: while the file is being written.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_keeps_the_old_file() {
    let folder = package(GAUSS);
    folder.cain(&["pin", "--nodes", "1"]).good();
    let old = folder.read("plans/gauss.scamp");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" pin --nodes 20000";
    let mut command = Command::new("sh");
    let run: Run =
        command.args(["-c", script, env!("CARGO_BIN_EXE_cain")]).current_dir(&folder.0).output().unwrap().into();
    assert!(
        matches!(run.bad()[..], [line] if line.starts_with("plans/gauss.scamp: the plan cannot be written: ")),
        "{}",
        run.stderr
    );
    assert_eq!(folder.read("plans/gauss.scamp"), old);
    assert_eq!(folder.list("plans"), ["gauss.scamp"]);
}

/// Nested brackets would exhaust the stack of a recursive reader.
#[test]
fn brackets_without_end() {
    let folder = Folder::new("");
    let nested = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    folder.write("Cargo.toml", "");
    for source in [
        format!("scamp_kernels! {{ fn f(A) -> B = [[1]]; }} fn g() {{ {nested} }}"),
        format!("scamp_kernels! {{ fn f(A) -> B = [[{nested}]]; }}"),
    ] {
        folder.write("src/lib.rs", &source);
        let run = folder.cain(&["pin", "src"]);
        let expected = "brackets are nested more than 128 deep here; move a part of it to another place";
        assert!(matches!(run.bad()[..], [line] if line.starts_with("src/lib.rs:1:") && line.ends_with(expected)));
    }
    // A build script may contain anything; only its strings are read.
    folder.write("src/lib.rs", "");
    folder.write("build.rs", &format!("fn main() {{ {nested} }}"));
    folder.write("src/lib.rs", "scamp_kernels! { fn f(A) -> B = [[1]]; }");
    assert!(folder.cain(&["pin", "--nodes", "10"]).succeeded);
}

/// The command does not wait for pipes among the plans or the sources.
#[test]
#[cfg(target_os = "linux")]
fn pipes_are_not_waited_for() {
    let folder = Folder::new("[f]\ninputs = [\"A\"]\noutputs.B.kernel = [[1]]\n");
    folder.write("plans/other.scamp", "");
    for pipe in ["plans/f.scamp", "pipe.rs"] {
        assert!(std::process::Command::new("mkfifo").arg(folder.path(pipe)).status().unwrap().success());
    }
    let refused = "it is not a file but a folder, a pipe or a device";
    let run = folder.cain(&["pin", "kernels.toml", "--check"]);
    assert!(
        matches!(run.bad()[..], [line] if line.starts_with("plans/f.scamp: ") && line.contains(refused)),
        "{}",
        run.stderr
    );
    folder.write("Cargo.toml", "");
    let run = folder.cain(&["pin", "."]);
    assert!(run.bad()[0].starts_with("pipe.rs: ") && run.bad()[0].ends_with(refused), "{}", run.stderr);
}

/// The nodes of the search for the obstacle to a program continue the count of the search before.
#[test]
fn a_filter_without_a_program() {
    let folder = Folder::new("");
    folder.write("mean.rs", "scamp_kernels! { fn mean(A, B) -> B using () = 1/2 * [[1]] * A + 1/2 * [[1]] * B; }");
    let refused = folder.cain(&["pin", "mean.rs", "--nodes", "200"]);
    let [problem] = refused.bad()[..] else { panic!("{}", refused.stderr) };
    assert!(problem.starts_with("mean.rs:1:21: filter `mean`: no program found within 200 search nodes"), "{problem}");
    assert!(problem.contains("there is one with `max_gain = "), "{problem}");
}

/// Networks are declared in a source file and in a kernel file that it names; their plans are used, and plans of
/// networks that no longer exist are removed.
#[test]
fn networks_have_plans() {
    let network = "input = { size = 4, levels = -60..60, binarise = 128 };
        slope = convolution { kernels = [[[-1, 1]]] };
        is_edge = threshold { at = 60 };
        count = windows { size = [4, 3] };";
    let folder = Folder(tempfile::tempdir().unwrap());
    folder.write("Cargo.toml", MANIFEST);
    folder.write("src/lib.rs", &format!("cain_runtime::scamp_network! {{ pub network edges {{ {network} }} }}"));
    assert_eq!(folder.cain(&["pin", "--dry-run"]).good(), "would write plans/edges.scamp: new\n");
    let pinned = folder.cain(&["pin"]).good();
    assert!(pinned.ends_with("new\nwritten plans/edges.scamp\n"), "{pinned}");
    assert_eq!(folder.cain(&["pin"]).changes(), ["edges kept"]);
    let plan = folder.read("plans/edges.scamp");
    assert_eq!(folder.cain(&["pin", "--again"]).changes(), ["edges kept"]);
    assert_eq!(folder.read("plans/edges.scamp"), plan);
    assert_eq!(folder.cain(&["pin", "--dry-run"]).good(), "");
    assert_eq!(folder.cain(&["pin", "--check"]).good(), "1 of 1 plans are valid\n");
    assert_eq!(folder.list("plans"), ["edges.scamp"]);

    folder.write(
        "src/lib.rs",
        &format!("cain_runtime::scamp_network! {{ network edges {{ {} }} }}", network.replace("-1, 1", "1, 1")),
    );
    // Two networks of one name have a plan each.
    let twins =
        folder.read("src/lib.rs") + &format!("cain_runtime::scamp_network! {{ network Edges {{ {network} }} }}");
    let right = folder.read("src/lib.rs").replace("1, 1", "-1, 1");
    let stale = folder.cain(&["pin", "--check"]);
    let [message, ..] = stale.bad()[..] else { panic!("{:?}", stale.bad()) };
    assert!(message.contains("edges.scamp:2:1:") && message.contains("it has no program for"), "{message}");

    folder.write("src/lib.rs", &twins);
    let planned = folder.cain(&["pin", "--dry-run"]).stdout;
    assert!(planned.lines().count() == 2 && planned.contains("would write plans/Edges."), "{planned}");
    assert!(folder.cain(&["pin"]).succeeded);
    let plans = folder.list("plans");
    assert!(plans.len() == 3 && plans[0].starts_with("Edges.") && plans[1].starts_with("edges."), "{plans:?}");
    folder.cain(&["pin", "--prune"]).good();
    folder.cain(&["pin", "--check"]).good();
    folder.write("src/lib.rs", &right);
    assert!(folder.cain(&["pin", "--prune"]).succeeded);

    folder.write("src/lib.rs", "cain_runtime::scamp_kernels! { fn copy(&A) -> B using () = [[1]]; }");
    folder.cain(&["pin", "--prune"]).good();
    assert_eq!(folder.list("plans"), ["copy.scamp"]);
}
