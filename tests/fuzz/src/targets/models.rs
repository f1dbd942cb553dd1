//! Models in ONNX.

use cain_cli::texts::network;
use cain_codegen::kernel_file::parse_networks;

use crate::oracle::printable;
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "models",
    about: "trained networks as ONNX, and the kernel files that come from them",
    ending: "onnx",
    quick: 3_000,
    memory: 512,
    generate,
    check,
};

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_bytes(dice, corpus, |dice| dice.one_of(corpus.inputs()).clone())
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let toml = match network(input, Some(8)) {
        Ok((toml, remarks)) => {
            remarks.iter().try_for_each(|remark| printable(remark))?;
            toml
        }
        Err(problems) => return problems.lines().try_for_each(printable).map(|()| Verdict::Refused),
    };
    let mut missing = |_: &str| Err("is missing".to_owned());
    match parse_networks(&toml, &mut missing) {
        Ok(_) => Ok(Verdict::Accepted),
        // Large matrices are in files of their own, and the limits are those of kernel files.
        Err(problems) => problems.iter().try_for_each(|problem| printable(&problem.message)).map(|()| Verdict::Refused),
    }
}
