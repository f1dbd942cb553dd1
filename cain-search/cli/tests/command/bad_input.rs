//! Error messages of the command.

use std::fs;
#[cfg(unix)]
use std::process::Stdio;

use crate::Folder;

/// Expects these lines on the standard error, and nothing else.
#[track_caller]
fn expect(contents: impl AsRef<[u8]>, args: &[&str], expected: &[&str]) {
    let run = Folder::new(contents).cain(&[&["compile", "kernels.toml"], args].concat());
    assert_eq!(run.bad(), expected);
    assert_eq!(run.stdout, "");
}

const GOOD: &str = "[gauss]\ninputs = [\"A\"]\noutputs.A.kernel = [[1, 2, 1]]\n";

#[test]
fn every_problem_is_a_line_with_its_place() {
    expect(
        "[gauss]\ninputs = [\"G\"]\noutputs.A.kernel = [[1]]\n[box]\ninput = [\"A\"]\noutputs.A.kernel = [[nan]]\n",
        &[],
        &[
            "kernels.toml:2:11: unknown register `G`; the analogue registers are `A`, `B`, `C`, `D`, `E` and `F`",
            "kernels.toml:4:2: filter `box` has no inputs; add `inputs = [\"A\"]`",
            "kernels.toml:5:1: `box`: unknown key `input`; did you mean `inputs`?",
            "kernels.toml:6:22: `box.outputs.A.kernel`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found `nan`",
        ],
    );
}

#[test]
fn files_that_are_none() {
    expect(
        "",
        &[],
        &["kernels.toml:1:1: the file has no filter; add a table such as `[gauss]` with `inputs` and `outputs`"],
    );
    expect("[gauss", &[], &["kernels.toml:1:7: unclosed table, expected `]`"]);
    expect(
        b"# \xc3\xa9\n# \xc3\xa9 \xff\n",
        &[],
        &["kernels.toml:2:5: the file is not UTF-8 from here on; save it as UTF-8"],
    );
    expect(vec![b' '; (1 << 20) + 1], &[], &["kernels.toml: the file is larger than 1048576 bytes; split it"]);
    let run = Folder::new(GOOD).cain(&["compile", "missing.toml"]);
    assert!(matches!(run.bad().as_slice(), [line] if line.starts_with("missing.toml: cannot be read: ")));
}

/// This holds for all commands on the network.
#[test]
fn maps_that_nobody_reads() {
    let file = "[network.maps]\ninput = { size = 28, levels = \"-60..60\" }\n[[network.maps.layer]]\nname = \"around\"\n\
                op = \"convolution\"\nkernels = [[[1, 2, 1]]]\npadding = 1\n";
    let folder = Folder::new(file);
    for args in [&["compile"][..], &["generate"], &["show"], &["pin"], &["eval", "--data", "."]] {
        let (command, rest) = args.split_at(1);
        let run = folder.cain(&[command, &["kernels.toml"], rest].concat());
        let expected = "kernels.toml:4:8: layer `around`: makes 1 map of 30×28 pixels, which no other layer reads; add a layer \
                        that reads them out, `windows` or `plane`, or remove this one";
        assert_eq!(run.bad(), [expected], "{args:?}");
        assert_eq!(run.stdout, "", "{args:?}");
    }
}

/// This holds wherever a file is named: the command waits neither for a pipe to which nothing is written nor for the
/// end of a device.
#[test]
#[cfg(target_os = "linux")]
fn pipes_and_devices() {
    let folder = Folder::new(GOOD);
    folder.write("program.scamp", "mov(B,A);");
    folder.write("nets.toml", "[network.n]\ninput = { size = 4, levels = \"-60..60\" }\n");
    for pipe in ["pipe", "pipe.toml", "pipe.rs", "pipe.scamp", "pipe.png", "pipe.json", "pipe.onnx", "frames/1.png"] {
        fs::create_dir_all(folder.path("frames")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(folder.path(pipe)).status().unwrap().success());
    }
    fs::create_dir_all(folder.path("data/0")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path("data/0/1.png")).status().unwrap().success());
    folder.write("weights.toml", "[in_pixel.n]\ninput = { size = 28, block = 32 }\n");
    let refused = "it is not a file but a folder, a pipe or a device";
    for args in [
        &["compile", "/dev/zero"][..],
        &["compile", "pipe"],
        &["compile", "pipe.toml"],
        &["compile", "pipe.rs"],
        &["compile", "kernels.toml", "--chip", "pipe.toml"],
        &["show", "pipe.scamp"],
        &["bench", "pipe.toml"],
        &["pin", "pipe.toml"],
        &["pin", "pipe.rs"],
        &["generate", "pipe.toml"],
        &["generate", "kernels.toml", "--check", "-o", "pipe.rs"],
        &["import", "pipe.json"],
        &["import", "pipe.onnx", "--levels=-60..60"],
        &["eval", "pipe.toml", "--data", "data"],
        &["run", "pipe"],
        &["run", "pipe.toml"],
        &["run", "/dev/zero"],
        &["run", "program.scamp", "--machine", "pipe.toml"],
        &["run", "program.scamp", "--image", "pipe.png"],
        &["run", "program.scamp", "--image", "frames"],
    ] {
        let run = folder.cain(args);
        assert!(run.bad().iter().any(|line| line.contains(refused)), "{args:?}: {}", run.stderr);
    }
    let named = "scamp_kernels!(file = \"../pipe.toml\"); scamp_network! { network n { \
                 input = { size = 4, levels = -60..60 }; d = dense { from = image, weights = \"../pipe\" }; } }";
    folder.write("src/lib.rs", named);
    folder.write("Cargo.toml", "");
    let run = folder.cain(&["pin"]);
    assert_eq!(run.bad().iter().filter(|line| line.contains(refused)).count(), 3, "{}", run.stderr);
}

/// User input cannot make a message look like another one, and has no effect on the terminal.
#[test]
fn messages_are_lines_of_printable_characters() {
    let forged = "\\nkernels.toml:9:9: no such thing\\u001b[2J\\u202e";
    let shown = r"\nkernels.toml:9:9: no such thing\u{1b}[2J\u{202e}";
    let unknown = format!("{GOOD}\"x{forged}\" = 1\n");
    expect(
        &unknown,
        &[],
        &[&format!(
            "kernels.toml:4:1: `gauss`: unknown key `x{shown}`; expected `inputs`, `outputs`, `keep`, `scratch`, `bits`, `superpixel`, `doc`, \
             `approximate`, `search` or `interruptible`"
        )],
    );
    let mistakes = format!(
        "[gauss]\ninputs = [\"A{forged}\"]\noutputs.\"B{forged}\".kernel = [[1]]\nsearch.isa = \"{forged}\"\n\
         [\"{forged}\"]\n[machine]\nregisters = [\"{forged}\"]\n"
    );
    let run = Folder::new(&mistakes).cain(&["compile", "kernels.toml"]);
    let lines = run.bad();
    assert!(lines.len() > 4 && lines.iter().all(|line| line.starts_with("kernels.toml:")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("kernels.toml:9:9")), "{lines:?}");
    assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{lines:?}");
}

/// Brackets are nested in brackets, and names in names.
#[test]
fn nesting_without_end() {
    for text in [
        format!("{GOOD}x = {}", "[".repeat(100_000)),
        format!("{GOOD}x = {}", "{a=".repeat(100_000)),
        format!("{GOOD}{}x = 1", "a.".repeat(100_000)),
        format!("[{}x]", "a.".repeat(100_000)),
    ] {
        let run = Folder::new(&text).cain(&["compile", "kernels.toml"]);
        assert!(run.bad()[0].starts_with("kernels.toml:"), "{}", run.stderr);
    }
}

#[test]
fn unknown_names_are_found_before_any_search() {
    expect(
        GOOD,
        &["gaus", "gauss", "box"],
        &[
            "kernels.toml: unknown filter `gaus`; did you mean `gauss`?",
            "kernels.toml: unknown filter `box`; expected `gauss`",
        ],
    );
}

#[test]
fn options() {
    for (args, message) in [
        (["--isa", "words"], "unknown instruction set `words`; expected `macro`, `basic` or `native`"),
        (["--offset", "canceled"], "unknown offset `canceled`; did you mean `cancelled`?"),
        (["--isa", "basics"], "unknown instruction set `basics`; did you mean `basic`?"),
        (["--objective", "acuracy"], "unknown objective `acuracy`; did you mean `accuracy`?"),
        (["--objective", "noise"], "the objective `noise` is now `accuracy`, the error predicted for the chip"),
        (["--accuracy", "0"], "expected a number of DN above 0, such as 3 or 0.5"),
        (["--accuracy", "nan"], "expected a number of DN above 0, such as 3 or 0.5"),
        (["--chip", "none.toml"], "none.toml: cannot be read"),
        (["--nodes", "0"], "a search needs at least one node"),
        (["--time", "soon"], "expected a number of seconds above 0, such as 0.5"),
        (["--threads", "0"], "expected a number from 1 to 1024"),
        (["--threads", "100000"], "expected a number from 1 to 1024"),
    ] {
        let run = Folder::new(GOOD).cain(&["compile", "kernels.toml", args[0], args[1]]);
        assert!(run.bad()[0].contains(message), "{}", run.stderr);
    }
}

#[test]
fn budgets_of_nothing_and_gains_that_cannot_be() {
    expect(format!("{GOOD}search.nodes = 0\n"), &[], &["kernels.toml:4:16: a search needs at least one node"]);
    expect(
        format!("{GOOD}search.max_gain = 3\n"),
        &[],
        &[
            "kernels.toml:4:19: the kernel of `A` has a gain of 4, which is more than the `max_gain` of 3; allow at least 4",
        ],
    );
    expect(
        format!("{GOOD}search.max_gain = 0.5\n"),
        &[],
        &["kernels.toml:4:19: a `max_gain` of 1/2 is below 1, the gain of the inputs themselves; allow at least 1"],
    );
}

/// Five kernels that have nothing in common, and a register too few.
#[test]
fn more_kernels_than_registers_hold() {
    let text = "[many]\ninputs = [\"A\"]\nkeep = [\"A\"]\n\
                outputs.B = { scale = \"1/8\", kernel = [[1, 2, 4]] }\n\
                outputs.C = { scale = \"1/8\", kernel = [[3], [1], [5]] }\n\
                outputs.D = { scale = \"1/8\", kernel = [[7, 1, 3]] }\n\
                outputs.E = { scale = \"1/8\", kernel = [[2], [7], [1]] }\n\
                outputs.F = { scale = \"1/16\", kernel = [[1, 5, 0], [0, 0, 0], [0, 3, 7]] }\n\
                search.max_gain = \"any\"\n";
    let run = Folder::new(text).cain(&["compile", "kernels.toml", "--json", "--nodes", "50"]);
    assert_eq!(
        run.bad(),
        [
            "kernels.toml:1:2: filter `many`: no program found within 50 search nodes that overwrites only `B`, `C`, `D`, `E` \
          and `F`; allow more `nodes`, or split the filter, or use a machine of 7 registers, which are certainly enough"
        ]
    );
    assert_eq!(run.stdout, "");
    let text = "[many]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\noutputs.G.kernel = [[1]]\n";
    expect(
        text,
        &[],
        &["kernels.toml:4:9: unknown register `G`; the analogue registers are `A`, `B`, `C`, `D`, `E` and `F`"],
    );
}

/// The other filters are compiled all the same, but the run fails.
#[test]
fn a_filter_without_program() {
    let text = format!(
        "{GOOD}search.max_gain = \"own\"\n[tight]\ninputs = [\"A\"]\nscratch = []\noutputs.A.kernel = [[1, 2, 1], [2, 5, 2], [1, 2, 3]]\n\
         search.max_gain = \"own\"\n\
         [after]\ninputs = [\"A\"]\noutputs.A = {{ scale = 0.5, kernel = [[1, 1, 0]] }}\n"
    );
    let run = Folder::new(text).cain(&["compile", "kernels.toml", "--json", "--nodes", "2000"]);
    let lines = run.bad();
    assert!(
        matches!(lines.as_slice(), [line]
            if line.starts_with("kernels.toml:5:2: filter `tight`: no program found") && line.contains("only `A`;")),
        "{}",
        run.stderr
    );
    assert_eq!(run.stdout.lines().count(), 2);
}

/// An output that cannot be written is refused before anything is searched for: the budget would take hours.
#[test]
fn outputs_are_checked_first() {
    let folder = Folder::new(
        "[hard]\ninputs = [\"A\"]\noutputs.A.kernel = [[3, 1, 4], [1, 5, 9], [2, 6, 5]]\n\
         search = { max_gain = \"any\", nodes = 1_000_000_000, patience = \"any\" }\n",
    );
    folder.write("file", "");
    let before = fs::read_dir(folder.path("")).unwrap().count();
    for (args, problem) in [
        (
            ["show", "kernels.toml", "-o", "hard.pdf"],
            "hard.pdf: no format has this ending; expected .txt, .dot, .gv, .svg, .html or .htm, or choose one with --format",
        ),
        (["show", "kernels.toml", "-o", "missing/hard.svg"], "missing/hard.svg: cannot be written: "),
        (["show", "kernels.toml", "-o", "."], ".: cannot be written: it is a folder; name a file in it"),
        (["generate", "kernels.toml", "-o", "missing/hard.rs"], "missing/hard.rs: cannot be written: "),
        (["generate", "kernels.toml", "-o", "file/hard.rs"], "file/hard.rs: cannot be written: "),
        (["run", "kernels.toml", "-o", "file"], "file: cannot be written to: "),
        (["run", "kernels.toml", "-o", "file/planes"], "file/planes: cannot be created: "),
    ] {
        let run = folder.cain(&args);
        assert!(matches!(run.bad()[..], [line] if line.starts_with(problem)), "{args:?}: {}", run.stderr);
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), before);
}

/// With `| head -1`, the command ends like others and prints no message.
#[test]
#[cfg(unix)]
fn readers_may_leave_early() {
    let folder = Folder::new("[half]\ninputs = [\"A\"]\noutputs.A.kernel = [[\"1/2\"]]\n");
    folder.write("east.scamp", "movx(B,A,east);");
    for args in [
        &["compile", "kernels.toml"][..],
        &["compile", "kernels.toml", "--json"],
        &["bench", "kernels.toml"],
        &["show", "kernels.toml"],
        &["generate", "kernels.toml"],
        &["run", "east.scamp", "--size", "8"],
        &["run", "east.scamp", "--size", "8", "--json"],
        &["pin", "kernels.toml"],
        &["completions", "bash"],
    ] {
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]), "{args:?}: {output:?}");
    }
    // The complaints have no reader either.
    let mut child = folder.command(&["compile", "missing.toml"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
