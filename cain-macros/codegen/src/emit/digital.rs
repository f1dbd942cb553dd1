//! Digital filters as Rust: a function on handles of bits, and a module with its plan and registers.

use std::collections::BTreeSet;

use cain_isa::{Bit, Dreg, Instruction, Stop, Word};
use cain_search::Matrix;
use cain_search::digital::{Declaration, Format, Program, Solution};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Visibility};

use super::{docs, plan, signature, visibility};
use crate::plans::Mode;

/// The parts of a generated function on bits.
pub(crate) struct Function<'a> {
    /// The path of the runtime crate.
    pub(crate) runtime: &'a TokenStream,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) visibility: &'a Visibility,
    pub(crate) name: &'a Ident,
    pub(crate) declaration: &'a Declaration,
    /// If `None`, the function exists only so that callers compile.
    pub(crate) solution: Option<&'a Solution>,
}

/// The registers of a function.
struct Registers {
    inputs: Vec<Vec<Dreg>>,
    outputs: Vec<Vec<Dreg>>,
    /// What is written beside the inputs.
    scratch: Vec<Dreg>,
}

/// Registers in the order in which a function without a program has its numbers in them.
const ORDER: [usize; Dreg::COUNT] = [5, 6, 7, 8, 9, 10, 11, 0, 12, 4, 3, 2, 1];

impl Registers {
    fn of(declaration: &Declaration, solution: Option<&Solution>) -> Self {
        let (inputs, outputs) = solution.map_or_else(
            || canonical(declaration),
            |solution| (solution.program.program().inputs.clone(), solution.program.program().outputs.clone()),
        );
        let listing = solution.into_iter().flat_map(|solution| &solution.program.program().listing);
        let written: BTreeSet<Dreg> = listing.flat_map(Instruction::words).flat_map(|word| targets(&word)).collect();
        let given: BTreeSet<Dreg> = inputs.iter().flatten().copied().collect();
        let used: BTreeSet<Dreg> = outputs.iter().flatten().copied().chain(written).collect();
        Self { inputs, outputs, scratch: used.difference(&given).copied().collect() }
    }
}

/// The registers of inputs and outputs without a program.
fn canonical(declaration: &Declaration) -> (Vec<Vec<Dreg>>, Vec<Vec<Dreg>>) {
    let inputs = in_order(declaration.inputs.iter().map(|input| input.format.bits()), |_| true);
    let kept = declaration.inputs.iter().zip(&inputs).filter(|(input, _)| input.keep);
    let kept: Vec<Dreg> = kept.flat_map(|(_, bits)| bits).copied().collect();
    let widths = (0..declaration.outputs.len()).map(|output| declaration.output_format(output));
    let widths = widths.map(|format| format.map_or(0, Format::bits));
    let outputs = in_order(widths, |register| !kept.contains(&register));
    (inputs, outputs)
}

/// Registers for numbers of these widths.
fn in_order(widths: impl Iterator<Item = u32>, fits: impl Fn(Dreg) -> bool) -> Vec<Vec<Dreg>> {
    let known = |&number: &usize| u8::try_from(number).ok().and_then(Dreg::new);
    let mut free = ORDER.iter().filter_map(known).filter(|register| fits(*register));
    widths.map(|width| free.by_ref().take(width as usize).collect()).collect()
}

/// The digital registers that a word writes.
pub(super) fn targets(word: &Word) -> Vec<Dreg> {
    match word {
        Word::Logic(logic) => logic.targets().to_vec(),
        Word::FromNeighbours(word) => vec![word.target()],
        _ => Vec::new(),
    }
}

/// The output that is in a register of an input that is kept, for which no two handles can be.
pub(crate) fn kept_output(solution: &Solution) -> Option<&str> {
    let (declaration, program) = (solution.program.declaration(), solution.program.program());
    let inputs = declaration.inputs.iter().zip(&program.inputs);
    let kept: Vec<Dreg> = inputs.filter(|(input, _)| input.keep).flat_map(|(_, bits)| bits).copied().collect();
    let mut outputs = declaration.outputs.iter().zip(&program.outputs);
    outputs.find(|(_, bits)| bits.iter().any(|bit| kept.contains(bit))).map(|(output, _)| output.name.as_str())
}

/// The function and the module of the same name.
pub(crate) fn function(function: &Function<'_>) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, solution } = function;
    let registers = Registers::of(declaration, *solution);
    let docs = docs(function);
    let host = super::host(&declaration.name);
    let parameters: Vec<Ident> = declaration.inputs.iter().map(|input| parameter(&input.name)).collect();
    let types = declaration.inputs.iter().zip(&registers.inputs).map(|(input, bits)| {
        let planes = bits.iter().map(|&bit| {
            let marker = marker(runtime, bit);
            if input.keep { quote!(&#runtime::BitPlane<'_, #marker>) } else { quote!(#runtime::BitPlane<'r, #marker>) }
        });
        signature::one_or_tuple(&planes.collect::<Vec<_>>())
    });
    let results: Vec<_> = registers
        .outputs
        .iter()
        .map(|bits| {
            let planes = bits.iter().map(|&bit| {
                let marker = marker(runtime, bit);
                quote!(#runtime::BitPlane<'r, #marker>)
            });
            signature::one_or_tuple(&planes.collect::<Vec<_>>())
        })
        .collect();
    let result = signature::one_or_tuple(&results);
    let body = body(function, &registers, &parameters);
    let module = module(function, &registers, &parameters);
    quote! {
        #(#attributes)*
        #docs
        #[allow(clippy::type_complexity, clippy::too_many_arguments)]
        #visibility fn #name<'r, #host: #runtime::HostController>(
            scamp: &mut #host,
            #(#parameters: #types,)*
            scratch: #name::Scratch<'r>,
        ) -> ::core::result::Result<#result, #host::Error> {
            #body
        }
        #module
    }
}

/// The statements of the function.
fn body(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, name, declaration, solution, .. } = function;
    if solution.is_none() {
        let message =
            format!("the filter `{}` has no program; build without `{}=stub`", declaration.name, Mode::VARIABLE);
        return quote! {
            let _ = (scamp, #(#parameters,)* scratch);
            ::core::panic!(#message)
        };
    }
    let held = |register: &Dreg| {
        let place =
            registers.inputs.iter().zip(parameters).find_map(|(bits, parameter)| {
                Some((bits.len(), bits.iter().position(|bit| bit == register)?, parameter))
            });
        match place {
            Some((1, _, parameter)) => quote!(#parameter),
            Some((_, bit, parameter)) => {
                let bit = Literal::usize_unsuffixed(bit);
                quote!(#parameter.#bit)
            }
            None => {
                let field = field(*register);
                quote!(#runtime::Dreg::hold(scratch.#field))
            }
        }
    };
    let numbers: Vec<_> = registers
        .outputs
        .iter()
        .map(|bits| signature::one_or_tuple(&bits.iter().map(held).collect::<Vec<_>>()))
        .collect();
    let value = signature::one_or_tuple(&numbers);
    quote! {
        let _ = (#(&#parameters,)* &scratch);
        #runtime::HostController::run(scamp, &#name::PLAN)?;
        ::core::result::Result::Ok(#value)
    }
}

/// The module with the plan and the registers.
fn module(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, attributes, visibility, name, declaration, .. } = function;
    let shared = attributes.iter().filter(|attribute| plan::is_shared(attribute));
    let inner = visibility::of_child(visibility);
    let module_docs = docs::line(&format!("The plan of the filter `{}`, and its registers.", declaration.name));
    let plan_docs = docs::line(&format!("The plan that the function `{}` runs.", declaration.name));
    let plan = plan_value(function);
    let inputs = declaration.inputs.iter().zip(&registers.inputs);
    let inputs: Vec<_> =
        inputs.map(|(input, bits)| number(runtime, &input.name, bits, input.format.is_signed())).collect();
    let outputs = declaration.outputs.iter().zip(&registers.outputs).enumerate().map(|(i, (output, bits))| {
        let signed = declaration.output_format(i).is_ok_and(Format::is_signed);
        number(runtime, &output.name, bits, signed)
    });
    let outputs: Vec<_> = outputs.collect();
    let [input_count, output_count] = [&inputs, &outputs].map(|numbers| Literal::usize_unsuffixed(numbers.len()));
    let structs = structs(function, registers, parameters);
    quote! {
        #(#shared)*
        #module_docs
        #visibility mod #name {
            #plan_docs
            #inner const PLAN: #runtime::isa::Plan = #plan;
            /// Where the inputs are when the function is called.
            #inner const INPUTS: [#runtime::isa::Number; #input_count] = [#(#inputs),*];
            /// Where the outputs are afterwards.
            #inner const OUTPUTS: [#runtime::isa::Number; #output_count] = [#(#outputs),*];
            #structs
        }
    }
}

/// The handles that the function needs, by the names of the declaration.
fn structs(function: &Function<'_>, registers: &Registers, parameters: &[Ident]) -> TokenStream {
    let Function { runtime, visibility, .. } = function;
    let inner = visibility::of_child(visibility);
    let handle = |register: &Dreg| {
        let marker = marker(runtime, *register);
        quote!(&'r mut #runtime::Dreg<#marker>)
    };
    let types =
        registers.inputs.iter().map(|bits| signature::one_or_tuple(&bits.iter().map(handle).collect::<Vec<_>>()));
    let values = registers.inputs.iter().map(|bits| {
        let fields = bits.iter().map(|&bit| field(bit)).map(|field| quote!(&mut all.#field));
        signature::one_or_tuple(&fields.collect::<Vec<_>>())
    });
    let fields: Vec<Ident> = registers.scratch.iter().map(|&register| field(register)).collect();
    let handles: Vec<_> = registers.scratch.iter().map(handle).collect();
    let field_docs: Vec<_> =
        registers.scratch.iter().map(|register| docs::line(&format!("Register {register}."))).collect();
    let input_docs: Vec<_> =
        parameters.iter().map(|name| docs::line(&format!("The bits of `{name}`, lowest first."))).collect();
    // A lifetime must be used.
    let unused = fields.is_empty();
    let marker = unused.then(|| quote!(array: ::core::marker::PhantomData<&'r mut #runtime::Dregs>));
    let marked = unused.then(|| quote!(array: ::core::marker::PhantomData));
    quote! {
        /// The registers of the function, taken out of all of them.
        #[derive(Debug)]
        #[allow(clippy::type_complexity)]
        #inner struct Registers<'r> {
            #(#input_docs #inner #parameters: #types,)*
            /// The registers beside those of the inputs.
            #inner scratch: Scratch<'r>,
        }

        impl<'r> Registers<'r> {
            /// The registers of the function among those of an array.
            #inner const fn of(all: &'r mut #runtime::Dregs) -> Self {
                Self { #(#parameters: #values,)* scratch: Scratch { #(#fields: &mut all.#fields,)* #marked } }
            }
        }

        /// The registers that the function overwrites beside those of the inputs.
        #[derive(Debug)]
        #inner struct Scratch<'r> {
            #(#field_docs #inner #fields: #handles,)*
            #marker
        }
    }
}

fn number(runtime: &TokenStream, name: &str, registers: &[Dreg], signed: bool) -> TokenStream {
    let registers = registers.iter().map(|register| {
        let index = Literal::u8_unsuffixed(register.number());
        quote!(#runtime::isa::Dreg::ALL[#index])
    });
    quote!(#runtime::isa::Number { name: #name, registers: &[#(#registers),*], signed: #signed })
}

/// The plan as an expression; for a stub, a plan without instructions.
fn plan_value(function: &Function<'_>) -> TokenStream {
    let Function { runtime, declaration, solution, .. } = function;
    let mut used = BTreeSet::new();
    let program = solution.map(|solution| solution.program.program());
    let listing: Vec<_> =
        program.into_iter().flat_map(|program| &program.listing).map(|line| instruction(line, &mut used)).collect();
    let words = plan::integer(program.map_or(0, Program::words) as u64);
    let (nodes, stop) = solution.map_or((0, Stop::Exhausted), |found| (found.statistics.nodes, found.statistics.stop));
    let (nodes, stop) = (plan::integer(nodes), format_ident!("{stop:?}"));
    let (name, text) = (&declaration.name, text(declaration));
    let all = used.remove("all").then(|| quote!(use #runtime::isa::asm::all;));
    let names = used.iter().map(|name| format_ident!("{name}"));
    quote! {{
        #all
        use #runtime::isa::asm::digital::{#(#names),*};
        #runtime::isa::Plan {
            name: #name,
            declaration: #text,
            inputs: &[],
            outputs: &[],
            listing: &[#(#listing),*],
            cost: #runtime::isa::Cost { macros: 0, icws: #words, peak_gain: #runtime::isa::Fraction::ZERO },
            accuracy: &[],
            found: #runtime::isa::Found { nodes: #nodes, lower_bound: 0, stop: #runtime::isa::Stop::#stop },
            switches: &[],
        }
    }}
}

/// A word as a call of a function of `cain_isa::asm`, whose name is added to those used.
pub(super) fn instruction(line: &Instruction, used: &mut BTreeSet<String>) -> TokenStream {
    let mut name = |name: String| {
        let ident = format_ident!("{name}");
        used.insert(name);
        ident
    };
    let words: Vec<Word> = line.words().collect();
    let mut bits = |bits: &[Bit]| bits.iter().map(|bit| name(bit.to_string())).collect::<Vec<_>>();
    let call = match words.as_slice() {
        [Word::Logic(logic)] => {
            let targets = bits(&logic.targets().iter().map(|&target| Bit::Reg(target)).collect::<Vec<_>>());
            let sources = bits(logic.sources());
            match (logic.operation(), targets.as_slice()) {
                (cain_isa::Operation::Set, _) => ("set", quote!((&[#(#targets),*]))),
                (cain_isa::Operation::Clr, _) => ("clr", quote!((&[#(#targets),*]))),
                (cain_isa::Operation::Nor, _) => ("nor", quote!((#(#targets),*, &[#(#sources),*]))),
                _ => ("or", quote!((#(#targets),*, &[#(#sources),*]))),
            }
        }
        [Word::FromNeighbours(word)] => {
            let operands = bits(&[Bit::Reg(word.target()), word.source()]);
            let outside = word.outside();
            ("from_neighbours", quote!((#(#operands),*, #outside)))
        }
        [Word::WhereBits(list)] => {
            let list = bits(list.bits());
            ("where_bits", quote!((&[#(#list),*])))
        }
        _ => ("all", quote!(())),
    };
    let (function, arguments) = call;
    let function = name(function.to_owned());
    quote!(#function #arguments)
}

/// The declaration in a canonical spelling: `edge(&image: 1) -> (gx) { gx = [-1 0 1] * image; }`.
fn text(declaration: &Declaration) -> String {
    let input = |input: &cain_search::digital::Input| {
        let sign = if input.format.is_signed() { "-" } else { "" };
        format!("{}{}: {sign}{}", if input.keep { "&" } else { "" }, input.name, input.format.bits())
    };
    let inputs: Vec<String> = declaration.inputs.iter().map(input).collect();
    let outputs: Vec<&str> = declaration.outputs.iter().map(|output| output.name.as_str()).collect();
    let sums = formulas(declaration).join("; ");
    format!("{}({}) -> ({}) {{ {sums}; }}", declaration.name, inputs.join(", "), outputs.join(", "))
}

/// `gx = [-1 0 1] * image` for each output.
fn formulas(declaration: &Declaration) -> Vec<String> {
    let formula = |output: &cain_search::digital::Output| {
        let terms = (0..)
            .zip(&declaration.inputs)
            .filter_map(|(channel, input)| Some(format!("{} * {}", Matrix::of(&output.kernel, channel)?, input.name)));
        let terms: Vec<String> = terms.collect();
        format!("{} = {}", output.name, if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") })
    };
    declaration.outputs.iter().map(formula).collect()
}

/// The documentation of the function, after the user's own.
fn docs(function: &Function<'_>) -> TokenStream {
    let Function { attributes, declaration, solution, .. } = function;
    let Some(solution) = solution else {
        return docs::after(
            attributes,
            &[vec!["# Panics".to_owned()], vec!["Always: there is no program.".to_owned()]],
        );
    };
    let program = solution.program.program();
    let formulas = formulas(declaration).iter().map(|formula| format!("- `{formula}`")).collect();
    let facts = vec![
        format!("{} control words, exact for all inputs; pixels outside of the array are 0.", program.words()),
        format!("Search nodes: {}.", solution.statistics.nodes),
    ];
    let lines = program.listing.iter().map(ToString::to_string);
    let fence = |fence: &str| std::iter::once(fence.to_owned());
    let listing = fence("```text").chain(lines).chain(fence("```")).collect();
    docs::after(attributes, &[formulas, facts, listing])
}

/// The marker type of a register.
pub(super) fn marker(runtime: &TokenStream, register: Dreg) -> TokenStream {
    let name = format_ident!("{}", register.to_string());
    quote!(#runtime::reg::digital::#name)
}

/// The field of `Dregs`.
pub(super) fn field(register: Dreg) -> Ident {
    format_ident!("{}", register.to_string().to_lowercase())
}

/// The parameter of an input.
fn parameter(name: &str) -> Ident {
    Ident::new(&name.to_lowercase(), Span::call_site())
}
