//! The Rust sources that `cain pin` reads.

use cain_codegen::blocks;

use super::tokens;
use crate::model::Filter;
use crate::oracle::{placed, printable, within};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "sources",
    about: "Rust sources as `cain pin` reads them",
    ending: "rs",
    quick: 10_000,
    memory: 256,
    generate,
    check,
};

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    let mut words = tokens::WORDS.to_vec();
    words.extend(["scamp_kernels", "!", "macro_rules", "use", "as", "mod", "r\"", "b'", "/*", "'a"]);
    mutate::of_text(dice, corpus, &words, |dice| {
        let call = format!("scamp_kernels! {{ {} }}\n", Filter::random(dice).to_macro());
        match dice.below(3) {
            0 => format!(
                "use cain_runtime::scamp_kernels as k;\nmod inner {{ {} }}\n",
                call.replacen("scamp_kernels", "k", 1)
            ),
            1 => format!("macro_rules! wrapper {{ () => {{ {call} }} }}\n"),
            _ => format!("fn f() {{ {call} }}\n"),
        }
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let blocks = blocks::read(&text);
    placed(&text, &blocks.problems)?;
    let items = blocks.items.iter().map(cain_codegen::kinds::Item::place);
    let places = items.chain(blocks.files.iter().map(|file| file.place));
    for place in places.chain(blocks.wrappers.iter().map(|wrapper| wrapper.place)) {
        within(&text, place)?;
    }
    for kernel in blocks.clone().filters() {
        printable(&kernel.declaration.to_string())?;
        kernel.declaration.validate().map_err(|error| format!("a kernel is taken: {error}"))?;
    }
    Ok(if blocks.problems.is_empty() { Verdict::Accepted } else { Verdict::Refused })
}
