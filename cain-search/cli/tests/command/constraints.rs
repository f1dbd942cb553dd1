//! Tests of offset errors, the range of inputs and the limit on gains on the command line.

use serde_json::Value;

use crate::Folder;

const SLOPE: &str = "[slope]\ninputs = [\"A\"]\noutputs.B.kernel = [[-1, 0, 1]]\n";
const WARNING: &str = "warning: kernels.toml:3:20: the kernel of `B` has values up to 2 times the range of the registers, which \
                       saturate: scale it with 1/2, or accept that with `search.max_gain = \"any\"`\n";

/// The object that `cain compile` prints, and its messages.
fn compile(text: &str, args: &[&str]) -> (Value, String) {
    let run = Folder::new(text).cain(&[&["compile", "kernels.toml", "--json", "--nodes", "300"], args].concat());
    assert!(run.succeeded, "{}", run.stderr);
    (serde_json::from_str(&run.stdout).unwrap(), run.stderr)
}

#[test]
fn programs_are_constrained_by_default() {
    let (slope, warning) = compile(SLOPE, &[]);
    assert_eq!((&slope["isa"], &slope["offset_error"]["B"]), (&"native".into(), &"0".into()));
    assert_eq!((&slope["peak_gain"], warning.as_str()), (&"2".into(), WARNING));
    for command in ["show", "generate"] {
        assert_eq!(Folder::new(SLOPE).cain(&[command, "kernels.toml"]).stderr, WARNING, "{command}");
    }
}

#[test]
fn the_command_line_lifts_and_sets_limits() {
    for (args, gain) in [
        (&["--max-gain", "any"][..], "2"),
        (&["--max-gain", "own"], "2"),
        (&["--max-gain", "5/2"], "2"),
        (&["--input", "0..127"], "1"),
        (&["--input=-127..0"], "1"),
    ] {
        let (slope, stderr) = compile(SLOPE, args);
        assert_eq!((slope["peak_gain"].as_str(), stderr.as_str()), (Some(gain), ""), "{args:?}");
    }
    let negative = "[negative]\ninputs = [\"A\"]\nkeep = [\"A\"]\noutputs.B.kernel = [[-1]]\n";
    assert_eq!(compile(negative, &["--offset", "any"]).0["offset_error"]["B"], "1");
    assert_eq!(compile(negative, &[]).0["offset_error"]["B"], "0");
    // They take precedence over the file, which is valid only with them.
    let in_file = format!("{SLOPE}search = {{ max_gain = 1, input = \"-100..100\" }}\n");
    assert_eq!(compile(&in_file, &["--max-gain", "2"]).0["peak_gain"], "2");
    assert_eq!(compile(&in_file, &["--input", "0..100"]).0["peak_gain"], "1");
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    for (args, message) in [
        (["--max-gain", "1/2"], "a `max_gain` of 1/2 is below 1, the gain of the inputs themselves; allow at least 1"),
        (["--max-gain", "none"], "unknown max_gain `none`; expected `own` or `any`, or a number such as 3/2"),
        (["--input", "127..0"], "the input range 127..0 is empty; write 0..127"),
        (["--input", "0..0"], "with the input range 0..0 all inputs are 0; allow other values, such as 0..127"),
        (["--input", "127"], "expected a range such as `-128..127`"),
        (["--input", "0..255"], "the input range 0..255 exceeds that of the registers, which hold -128..127"),
        (["--max-gain", "3/2"], "the kernel of `B` has a gain of 2, which is more than the `max_gain` of 3/2"),
    ] {
        let run = Folder::new(SLOPE).cain(&[&["compile", "kernels.toml"], &args[..]].concat());
        assert!(!run.succeeded && run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
}
