//! Mistakes in options, which have the same messages in kernel files and in macros, each in its own notation.

use proc_macro2::TokenStream;

use crate::kernel_file::parse;
use crate::tests::mistakes;
use crate::value::Notation;

/// A mistake: options as they are in a file, the last part of them that the message is about, the key that it begins with, below the
/// name of the options, if it begins with one, and the message.
type Mistake = (&'static str, &'static str, Option<&'static str>, &'static str);

/// Expects mistakes in options of that name.
#[track_caller]
fn expect(name: &str, mistakes: &[Mistake]) {
    for mistake in mistakes {
        in_a_file(name, *mistake);
        in_a_macro(name, *mistake);
    }
}

#[track_caller]
fn in_a_file(name: &str, (options, at, key, message): Mistake) {
    let table = format!("{name} = {{ {options} }}\n");
    let filter = "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n";
    let (file, line, path) = match name {
        "machine" => (table.clone() + filter, 1, name.to_owned()),
        _ => (filter.to_owned() + &table, 4, format!("f.{name}")),
    };
    let column = table.rfind(at).unwrap() + 1;
    let key = key.map_or_else(String::new, |key| format!("`{path}{}{key}`: ", if key.is_empty() { "" } else { "." }));
    let problems: Vec<String> = parse(&file).expect_err(&file).iter().map(ToString::to_string).collect();
    assert_eq!(problems, [format!("{line}:{column}: {key}{message}")], "{file}");
}

#[track_caller]
fn in_a_macro(name: &str, (options, at, key, message): Mistake) {
    let macros = |text: &str| Notation::Macro.message(text.to_owned());
    let inner = if name == "machine" { "!" } else { "" };
    let source = format!("#{inner}[{name}({})] fn f(A) -> A = [[1]];", macros(options));
    let key = key.map(|key| key.rsplit('.').next().filter(|key| !key.is_empty()).unwrap_or(name));
    let key = key.map_or_else(String::new, |key| format!("`{key}`: "));
    // Of several tokens the first one is underlined.
    let first = macros(at).parse::<TokenStream>().unwrap().into_iter().next().unwrap();
    let place = first.span().source_text().unwrap();
    assert_eq!(mistakes(&source), [(place, key + &macros(message))], "{source}");
}

#[test]
fn searches() {
    const WHOLE: &str = "expected a whole number of at most 64 bits, not negative, found `-1`";
    const NO_ERROR: &str = "the error allowed is a number of DN above 0, such as `3`";
    expect(
        "search",
        &[
            ("nods = 1", "nods", Some(""), "unknown key `nods`; did you mean `nodes`?"),
            ("nodes = 0", "0", None, "a search needs at least one node"),
            ("nodes = -1", "-1", Some("nodes"), WHOLE),
            ("nodes = 1e6", "1e6", Some("nodes"), "expected a whole number; write `1_000_000`"),
            ("nodes = 20.0", "20.0", Some("nodes"), "expected a whole number; write `20`"),
            ("nodes = 0.5", "0.5", Some("nodes"), "expected a whole number"),
            ("nodes = [1]", "[1]", Some("nodes"), "expected a whole number, found an array"),
            ("memory = 1", "1", None, "a `memory` of 1 MiB is not possible; allow from 8 to 1048576 MiB"),
            ("objective = \"icw\"", "\"icw\"", None, "unknown objective `icw`; did you mean `icws`?"),
            (
                "objective = \"depth\"",
                "\"depth\"",
                None,
                "unknown objective `depth`; expected `macros`, `icws` or `accuracy`",
            ),
            (
                "objective = \"noise\"",
                "\"noise\"",
                None,
                "the objective `noise` is now `accuracy`, the error predicted for the chip",
            ),
            ("accuracy = 0", "0", None, NO_ERROR),
            ("accuracy = -3", "-3", None, NO_ERROR),
            ("max_words = 0", "0", None, "a program needs control words; allow some, such as `1024`"),
            ("isa = \"nativ\"", "\"nativ\"", None, "unknown instruction set `nativ`; did you mean `native`?"),
            ("isa = \"all\"", "\"all\"", None, "unknown instruction set `all`; expected `macro`, `basic` or `native`"),
            ("offset = \"none\"", "\"none\"", None, "unknown offset `none`; expected `cancelled` or `any`"),
            (
                "max_gain = \"1/2\"",
                "\"1/2\"",
                None,
                "a `max_gain` of 1/2 is below 1, the gain of the inputs themselves; allow at least 1",
            ),
            (
                "max_gain = \"none\"",
                "\"none\"",
                None,
                "unknown max_gain `none`; expected `own` or `any`, or a number such as 3/2",
            ),
            ("input = 127", "127", Some("input"), "expected a range such as `\"-128..127\"`, found `127`"),
            (
                "input = \"0..99999\"",
                "\"0..99999\"",
                Some("input"),
                "expected a whole number of DN of at most 16 bits, found `99999`",
            ),
            ("input = \"127..0\"", "\"127..0\"", None, "the input range 127..0 is empty; write 0..127"),
            (
                "input = \"0..0\"",
                "\"0..0\"",
                None,
                "with the input range 0..0 all inputs are 0; allow other values, such as 0..127",
            ),
            (
                "input = \"-129..127\"",
                "\"-129..127\"",
                None,
                "the input range -129..127 exceeds that of the registers, which hold -128..127; stay within that",
            ),
        ],
    );
}

#[test]
fn approximations() {
    expect(
        "approximate",
        &[
            ("depth = 50, error = 1", "50", None, "depth 50 is more than 20 halvings"),
            ("error = 1, search = 1", "1", Some("search"), "expected `true` or `false`, found `1`"),
            ("errr = 1, depth = 5, error = 1", "errr", Some(""), "unknown key `errr`; did you mean `error`?"),
        ],
    );
}

#[test]
fn machines() {
    const OFFSETS: &str =
        "expected the offset of words with one, two and three destinations, or one number for all; found 2";
    expect(
        "machine",
        &[
            ("registrs = 6", "registrs", Some(""), "unknown key `registrs`; did you mean `registers`?"),
            (
                "clock = 18",
                "clock",
                Some(""),
                "unknown key `clock`; expected `registers`, `bits`, `instructions`, `bus`, `nanoseconds`, `range` or `errors`",
            ),
            ("registers = []", "[]", None, "a machine has at least one register"),
            ("registers = 0", "0", None, "expected from 1 to 256 analogue registers, found 0"),
            ("registers = 257", "257", None, "expected from 1 to 256 analogue registers, found 257"),
            (
                "registers = 0.5",
                "0.5",
                Some("registers"),
                "expected a number of registers, or an array such as `[\"A\", \"B\"]`, found `0.5`",
            ),
            ("registers = [\"B\", \"A\", \"B\"]", "\"B\"", None, "register `B` is listed twice"),
            (
                "registers = [\"A\", \"R300\"]",
                "\"R300\"",
                None,
                "unknown register `R300`; expected an analogue register: `A` to `Z`, or `R0` to `R229`",
            ),
            ("bits = 14", "14", None, "expected from 0 to 13 digital registers, found 14"),
            ("instructions = \"basi\"", "\"basi\"", None, "unknown set of instructions `basi`; did you mean `basic`?"),
            ("instructions = [\"mov\", \"mul\"]", "\"mul\"", None, "unknown instruction `mul`; did you mean `mux`?"),
            (
                "instructions = [\"blend\"]",
                "\"blend\"",
                None,
                "unknown instruction `blend`; expected a macro instruction such as `movx` or `add3`",
            ),
            (
                "instructions = 3",
                "3",
                Some("instructions"),
                "expected `\"all\"`, `\"basic\"`, or an array such as `[\"mov\", \"movx\", \"add\"]`, found `3`",
            ),
            ("errors = { gian = 2 }", "gian", Some("errors"), "unknown key `gian`; did you mean `gain`?"),
            ("errors = { gain = 2 }", "2", None, "`gain`: expected from 0.5 to 1.5, found 2"),
            ("errors = { fixed_gain = -0.1 }", "-0.1", None, "`fixed_gain`: expected from 0 to 0.5, found -0.1"),
            (
                "errors = { noise = true }",
                "true",
                Some("errors.noise"),
                "expected a number such as `3`, `\"-1/16\"` or `0.125`, found `true`",
            ),
            ("errors = { offset = [20, 22] }", "[20, 22]", None, OFFSETS),
            ("errors = { offset = [20, 22, 300] }", "300", None, "`offset`: expected from -100 to 100 DN, found 300"),
            ("bus = { source = 2 }", "source", Some("bus"), "unknown key `source`; did you mean `sources`?"),
            ("bus = { sources = 5 }", "5", None, "expected from 1 to 4 sources of a word, found 5"),
            ("bus = { destinations = 0 }", "0", None, "expected from 1 to 3 destinations of a word, found 0"),
            (
                "bus = { reads = \"mine\" }",
                "\"mine\"",
                None,
                "unknown way of reading NEWS `mine`; expected `own`, `port` or `mean`",
            ),
            (
                "nanoseconds = { analog = 2 }",
                "analog",
                Some("nanoseconds"),
                "unknown key `analog`; did you mean `analogue`?",
            ),
            ("nanoseconds = { analogue = 0 }", "0", None, "expected from 1 to 1000000000 nanoseconds, found 0"),
            ("range = { min = -1.5 }", "-1.5", None, "expected a whole number of DN from -32768 to 0, found -1.5"),
            ("range = { max = \"1/2\" }", "\"1/2\"", None, "expected a whole number of DN from 1 to 32767, found 1/2"),
        ],
    );
}
