//! Program texts of `cain run`.

use cain_cli::texts::program;

use crate::oracle::{ensure, placed, within};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "programs",
    about: "program texts of `cain run`",
    ending: "cpp",
    quick: 30_000,
    memory: 64,
    generate,
    check,
};

const WORDS: [&str; 32] = [
    "scamp5_kernel_begin",
    "scamp5_kernel_end",
    "scamp5_dynamic_kernel_begin",
    "mov",
    "movx",
    "add",
    "add2x",
    "sub2x",
    "res",
    "where",
    "all",
    "NOT",
    "OR",
    "DNEWS0",
    "PROP1",
    "get_image",
    "newsblur",
    "gauss",
    "bus3",
    "A",
    "F",
    "R12",
    "FLAG",
    "NEWS",
    "east",
    "/*",
    "*/",
    "//",
    "(",
    ")",
    ",",
    ";",
];
const LINES: [&str; 10] = [
    "movx(B, A, east);",
    "add2x(C,A,B,north,west);",
    "where(A,B);",
    "MOV(R5,FLAG);",
    "all();",
    "bus2(A,NEWS,B);",
    "div(A,B,C,D);",
    "DNEWS0(R5,R6,east|west);",
    "newsblur(A,A,3);",
    "/* a */ res(A); // b",
];
/// The number of registers that the text may use: more than the chip has.
const REGISTERS: u16 = 24;

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_text(dice, corpus, &WORDS, |dice| {
        let count = dice.below(8);
        let lines: Vec<_> = (0..count).map(|_| dice.pick(&LINES)).collect();
        format!("scamp5_kernel_begin();\n    {}\nscamp5_kernel_end();\n", lines.join("\n    "))
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let steps = match program(&text, REGISTERS) {
        Ok(steps) => steps,
        Err(problems) => return placed(&text, &problems).map(|()| Verdict::Refused),
    };
    steps.iter().try_for_each(|(place, _)| within(&text, *place))?;
    let instructions = |steps: &[(_, cain_isa::Instruction)]| steps.iter().map(|(_, step)| *step).collect::<Vec<_>>();
    let printed = instructions(&steps).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let again = program(&printed, REGISTERS).map_err(|problems| format!("printed, it is refused: {problems:?}"))?;
    ensure(instructions(&steps) == instructions(&again), || format!("printed, it is another program: {printed}"))?;
    Ok(Verdict::Accepted)
}
