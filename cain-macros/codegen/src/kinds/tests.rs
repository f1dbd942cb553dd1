//! Mistakes in options, which have the same messages in kernel files and in macros, each in its own notation.

use proc_macro2::TokenStream;

use crate::kernel_file::parse_any;
use crate::notation::Notation;
use crate::tests::mistakes;
use crate::tree::Overrides;

/// A mistake: options as they are in a file, the last part of them that the message is about, the key that it begins with, below the
/// name of the options, if it begins with one, and how the message goes on.
type Mistake<'t> = (&'t str, &'t str, Option<&'t str>, &'t str);

/// A filter with options, but for these: in a file with `OPTIONS` in place of their table, and in a macro without them.
struct Filter {
    file: &'static str,
    source: &'static str,
}

const KERNEL: Filter =
    Filter { file: "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\nOPTIONS", source: "fn f(A) -> A = [[1]];" };
const ON_A_MACHINE: Filter = Filter { file: "OPTIONS[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]\n", ..KERNEL };
const SUPER_PIXELS: Filter = Filter {
    file: "[f]\ninputs = [\"a\", \"b\"]\nkeep = [\"b\"]\nsearch = { isa = \"superpixel\" }\nOPTIONS\
           outputs.c = [{ input = \"a\", kernel = [[1]] }, { input = \"b\", kernel = [[1]] }]\n\
           outputs.d = { input = \"a\", kernel = [[2]] }",
    source: "#[search(isa = superpixel)] fn f(a, &b) -> (c, d) { c = [[1]] * a + [[1]] * b; d = [[2]] * a; }",
};

impl Filter {
    /// Expects mistakes in options of that name.
    #[track_caller]
    fn expect(&self, name: &str, mistakes: &[Mistake<'_>]) {
        for mistake in mistakes {
            self.in_a_file(name, *mistake);
            self.in_a_macro(name, *mistake);
        }
    }

    #[track_caller]
    fn in_a_file(&self, name: &str, (options, at, key, message): Mistake<'_>) {
        let table = format!("{name} = {{ {options} }}\n");
        let (before, _) = self.file.split_once("OPTIONS").unwrap();
        let (line, column) = (before.lines().count() + 1, table.rfind(at).unwrap() + 1);
        let file = self.file.replace("OPTIONS", &table);
        let path = if before.is_empty() { name.to_owned() } else { format!("f.{name}") };
        let dot = key.map_or("", |key| if key.is_empty() { "" } else { "." });
        let key = key.map_or_else(String::new, |key| format!("`{path}{dot}{key}`: "));
        let problems = parse_any(&file, Overrides::default()).expect_err(&file);
        let [problem] = problems.as_slice() else { panic!("{file}\n{problems:#?}") };
        let expected = format!("{line}:{column}: {key}{message}");
        assert!(problem.to_string().starts_with(&expected), "{file}\n{problem}\n{expected}");
    }

    #[track_caller]
    fn in_a_macro(&self, name: &str, (options, at, key, message): Mistake<'_>) {
        let spelt = |text: &str| Notation::Macro.message(text.to_owned());
        let inner = if name == "machine" { "!" } else { "" };
        let source = format!("#{inner}[{name}({})] {}", spelt(options), self.source);
        let key = key.map(|key| key.rsplit('.').next().filter(|key| !key.is_empty()).unwrap_or(name));
        let key = key.map_or_else(String::new, |key| format!("`{key}`: "));
        // Of several tokens the first one is underlined.
        let first = spelt(at).parse::<TokenStream>().unwrap().into_iter().next().unwrap();
        let place = first.span().source_text().unwrap();
        let mistakes = mistakes(&source);
        let [(found, problem)] = mistakes.as_slice() else { panic!("{source}\n{mistakes:#?}") };
        let expected = key + &spelt(message);
        assert!(*found == place && problem.starts_with(&expected), "{source}\n{mistakes:#?}\n{place}: {expected}");
    }
}

#[test]
fn searches() {
    const WHOLE: &str = "expected a whole number of at most 64 bits, not negative, found `-1`";
    const NO_ERROR: &str = "the error allowed is a number of DN above 0, such as `3`";
    KERNEL.expect(
        "search",
        &[
            ("nods = 1", "nods", Some(""), "unknown key `nods`; did you mean `nodes`?"),
            ("nodes = 0", "0", None, "a search needs at least one node"),
            ("nodes = -1", "-1", Some("nodes"), WHOLE),
            ("nodes = 1e6", "1e6", Some("nodes"), "expected a whole number; write `1_000_000`"),
            ("nodes = 20.0", "20.0", Some("nodes"), "expected a whole number; write `20`"),
            ("nodes = 0.5", "0.5", Some("nodes"), "expected a whole number"),
            ("nodes = [1]", "[1]", Some("nodes"), "expected a whole number, found an array"),
            ("book = 1", "1", Some("book"), "expected `true` or `false`, found `1`"),
            ("patience = 0", "0", None, "a search needs some patience; take at least 1"),
            ("patience = -1", "-1", Some("patience"), WHOLE),
            ("patience = \"an\"", "\"an\"", None, "unknown patience `an`; did you mean `any`?"),
            ("patience = \"much\"", "\"much\"", None, "unknown patience `much`; expected `any`, or a number such as 4"),
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
            (
                "isa = \"all\"",
                "\"all\"",
                None,
                "unknown instruction set `all`; expected `macro`, `basic`, `native`, `digital` or `superpixel`",
            ),
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
    KERNEL.expect(
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
    ON_A_MACHINE.expect(
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
            ("range = { min = -1.5 }", "-1.5", None, "expected a whole number of DN from -32768 to -1, found -1.5: every"),
            ("range = { min = 0, max = 255 }", "0", None, "expected a whole number of DN from -32768 to -1, found 0: every"),
            ("range = { max = \"1/2\" }", "\"1/2\"", None, "expected a whole number of DN from 1 to 32767, found 1/2: every"),
        ],
    );
}

#[test]
fn super_pixels() {
    const GOOD: &str = "order = [[1, 2], [4, 3]], carry = \"steps\", banks = { a = 0 }, bias = { c = -1, d = 3 }, \
                        relu = [\"c\"], compare = [\"d\"], adc = { a = { register = \"A\", bits = 4, unit = 1 } }, \
                        dac = { c = { register = \"B\" } }";
    let good = SUPER_PIXELS.file.replace("OPTIONS", &format!("superpixel = {{ {GOOD} }}\n"));
    assert!(parse_any(&good, Overrides::default()).is_ok());
    for (right, wrong, at, key, message) in [
        ("[4, 3]", "[3, 4]", "[[1, 2], [3, 4]]", Some("order"), ""),
        ("[[1, 2], [4, 3]]", "[7, 9]", "7", Some("order"), "expected rows of bits from the north such as"),
        ("\"steps\"", "\"step\"", "\"step\"", Some("carry"), "unknown carry `step`; did you mean `steps`?"),
        ("a = 0", "a = 7", "7", None, ""),
        ("a = 0", "x = 7", "7", None, "unknown number `x`"),
        ("relu = [\"c\"]", "relu = [\"x\"]", "\"x\"", None, "unknown output `x`"),
        (
            "compare = [\"d\"]",
            "compare = [\"c\"]",
            "\"c\"",
            None,
            "what is compared is not negative as `relu` means it",
        ),
        ("\"A\"", "\"Q\"", "\"Q\"", Some("adc.a.register"), "unknown analogue register `Q`"),
        ("unit = 1", "unit = 0", "{ register = \"A\", bits = 4, unit = 0 }", Some("adc.a"), "bits are counted from 1"),
        ("bits = 4", "bits = 9", "{ register = \"A\", bits = 9, unit = 1 }", None, "a converter has 1 to 8 bits"),
        (
            "unit = 1",
            "unit = 2",
            "{ register = \"A\", bits = 4, unit = 2 }",
            None,
            "the number has 4 bits; convert fewer",
        ),
        ("{ register = \"B\" }", "{ bits = 2 }", "{ bits = 2 }", Some("dac.c"), "the analogue register is missing"),
        ("c = { register", "x = { register", "{ register = \"B\" }", None, "unknown output `x`"),
        ("a = { register", "x = { register", "{ register = \"A\", bits = 4, unit = 1 }", None, "unknown input `x`"),
        ("carry", "carri", "carri", Some(""), "unknown key `carri`; did you mean `carry`?"),
    ] {
        assert!(GOOD.contains(right), "{right}");
        let options = GOOD.replacen(right, wrong, 1);
        SUPER_PIXELS.expect("superpixel", &[(&options, at, key, message)]);
    }
}
