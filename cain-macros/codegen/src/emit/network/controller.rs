//! The layers of a network on the controller: statements, tables of weights, and the results.

use cain_isa::program::Area;
use cain_network::{Integers, Layer, Network, Operation, Shape, Source, Window};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::super::docs;
use super::super::frame::allow_spelling;
use super::super::program::{area, signed};
use crate::names::{identifiers_of_layers, is_keyword};

/// The layers of numbers.
pub(super) struct Controller<'a> {
    runtime: &'a TokenStream,
    /// The name of the module.
    module: &'a Ident,
    network: &'a Network,
    shapes: Vec<Shape>,
    /// The layers that no other layer reads, and the fields of their results.
    heads: Vec<(usize, Ident)>,
}

impl<'a> Controller<'a> {
    /// The layer whose result no field can be, and why, if there is one.
    pub(super) fn of(
        runtime: &'a TokenStream,
        module: &'a Ident,
        network: &'a Network,
    ) -> Result<Self, (usize, String)> {
        let shapes = network.shapes().map_err(|error| (error.layer.unwrap_or_default(), error.to_string()))?;
        let heads = network.heads();
        let names: Vec<&str> = heads.iter().map(|layer| network.name_of(Source::Layer(*layer))).collect();
        let heads = heads.iter().copied().zip(identifiers_of_layers(&names, module.span())).collect();
        Ok(Self { runtime, module, network, shapes, heads })
    }

    /// The layers of numbers and of lists of pixels, in their order.
    fn layers(&self) -> impl Iterator<Item = (usize, &'a Layer)> {
        let is_number = |layer: usize| matches!(self.shapes.get(layer), Some(Shape::Numbers(_) | Shape::Events { .. }));
        self.network.layers.iter().enumerate().filter(move |(layer, _)| is_number(*layer))
    }

    fn count(&self, layer: usize) -> usize {
        self.shapes.get(layer).map_or(0, |shape| shape.values())
    }

    /// An attribute that allows names of fields as users spell them.
    pub(super) fn allow(&self) -> Option<TokenStream> {
        allow_spelling(self.heads.iter().map(|(_, field)| field))
    }

    /// What computes the layers, each in a variable.
    pub(super) fn statements(&self) -> Vec<TokenStream> {
        self.layers().filter(|(i, _)| self.is_used(*i)).map(|(i, layer)| self.statement(i, layer)).collect()
    }

    /// Whether the numbers of a layer are used as they are: layers other than sums read counts in single precision.
    fn is_used(&self, layer: usize) -> bool {
        let reads = |other: &Layer| {
            matches!(other.operation, Operation::Dense { .. }) && other.from.contains(&Source::Layer(layer))
        };
        !self.network.is_counted(layer)
            || !self.network.is_read_out(layer)
            || self.heads.iter().any(|(head, _)| *head == layer)
            || self.network.layers.iter().any(reads)
    }

    fn statement(&self, i: usize, layer: &Layer) -> TokenStream {
        let Self { runtime, module, .. } = self;
        let (variable, count) = (variable(self.network, i), Literal::usize_unsuffixed(self.count(i)));
        let dense = quote!(#runtime::dense);
        let first = || layer.from.first().map(|source| self.reals(*source)).unwrap_or_default();
        match &layer.operation {
            Operation::Dense { .. } => {
                let (table, input) = (table(self.network, i), layer.from.first().map(|source| self.numbers(*source)));
                quote!(let #variable = #module::#table.apply(&#input);)
            }
            Operation::Rectify => {
                let input = first();
                quote!(let mut #variable = #input; #dense::rectify(&mut #variable);)
            }
            Operation::Softmax => {
                let input = first();
                quote!(let mut #variable = #input; #dense::softmax(&mut #variable);)
            }
            Operation::Affine { scale, shift } => {
                let input = first();
                let scale = scale.iter().map(|scale| single(scale.to_f64()));
                let shift = shift.iter().map(|shift| single(*shift));
                quote! {
                    let mut #variable = #input;
                    #[allow(clippy::approx_constant, clippy::unreadable_literal)]
                    #dense::scale_and_shift(&mut #variable, &[#(#scale),*], &[#(#shift),*]);
                }
            }
            Operation::Argmax => {
                let input = first();
                quote!(let #variable = #dense::argmax(&#input).unwrap_or_default();)
            }
            Operation::Join => {
                let inputs = layer.from.iter().map(|source| self.reals(*source));
                quote!(let #variable: [::core::primitive::f32; #count] = #dense::join(&[#(&#inputs),*]);)
            }
            Operation::Events { capacity } => {
                let (kind, first) = (self.lists(i, *capacity), self.first(i));
                quote!(let #variable: #kind = #runtime::network::event_lists(&read, #first);)
            }
            Operation::Windows { windows, mean } if !self.network.is_read_out(i) => {
                let lists = layer.from.first().map(|source| self.numbers(*source));
                let kind = quote!(#runtime::isa::program::Area);
                let areas = windows
                    .iter()
                    .map(|&Window { top, left, height, width }| area(&kind, Area { top, left, height, width }));
                let (number, count_in) = if *mean {
                    (quote!(::core::primitive::f32), quote!(event_means))
                } else {
                    (quote!(::core::primitive::i32), quote!(event_counts))
                };
                quote! {
                    let #variable: [#number; #count] = #runtime::network::#count_in(&#lists, &[#(#areas),*]);
                }
            }
            _ => {
                let (kind, read) = if self.network.is_counted(i) {
                    (quote!(::core::primitive::i32), quote!(counts))
                } else {
                    (quote!(::core::primitive::f32), quote!(reals))
                };
                let first = self.first(i);
                quote!(let #variable: [#kind; #count] = #runtime::network::#read(&read, #first);)
            }
        }
    }

    /// The numbers of a layer as they are.
    fn numbers(&self, source: Source) -> TokenStream {
        let Source::Layer(layer) = source else { return TokenStream::new() };
        if self.is_class(layer) {
            return self.reals(source);
        }
        let variable = variable(self.network, layer);
        quote!(#variable)
    }

    /// The numbers of a layer in single precision.
    fn reals(&self, source: Source) -> TokenStream {
        let Source::Layer(layer) = source else { return TokenStream::new() };
        let (runtime, variable) = (self.runtime, variable(self.network, layer));
        if self.network.is_counted(layer) && !self.network.is_read_out(layer) {
            return quote!(#runtime::network::reals_of(&#variable));
        }
        if self.network.is_counted(layer) {
            let (first, count) = (self.first(layer), Literal::usize_unsuffixed(self.count(layer)));
            return quote!(#runtime::network::reals::<#count>(&read, #first));
        }
        if self.is_class(layer) { quote!(#runtime::dense::place(#variable)) } else { quote!(#variable) }
    }

    /// Whether a layer is the place of a number.
    fn is_class(&self, layer: usize) -> bool {
        self.network.layers.get(layer).is_some_and(|layer| layer.operation == Operation::Argmax)
    }

    /// The place of the first number of a read-out.
    fn first(&self, layer: usize) -> Literal {
        let earlier = (0..layer).filter(|&earlier| self.network.is_read_out(earlier));
        Literal::usize_unsuffixed(earlier.map(|earlier| self.count(earlier)).sum())
    }

    /// The type of the lists of a layer.
    fn lists(&self, layer: usize, capacity: usize) -> TokenStream {
        let channels = match self.shapes.get(layer) {
            Some(Shape::Events { channels, .. }) => *channels,
            _ => 0,
        };
        let (runtime, [capacity, channels]) = (self.runtime, [capacity, channels].map(Literal::usize_unsuffixed));
        quote!([#runtime::network::EventList<#capacity>; #channels])
    }

    /// The tables of weights.
    pub(super) fn weights(&self, inner: &TokenStream) -> Vec<TokenStream> {
        self.layers().filter_map(|(i, layer)| self.table(inner, i, layer)).collect()
    }

    fn table(&self, inner: &TokenStream, i: usize, layer: &Layer) -> Option<TokenStream> {
        let Operation::Dense { weights, bias, bits } = &layer.operation else { return None };
        let runtime = self.runtime;
        let integers = Integers::new(weights, *bits);
        let kind = format_ident!("{}", if *bits <= 8 { "i8" } else { "i16" });
        let [inputs, outputs] = [weights.first().map_or(0, Vec::len), weights.len()].map(Literal::usize_unsuffixed);
        let rows = integers.weights.iter().map(|row| {
            let row = row.iter().map(|weight| signed(i64::from(*weight)));
            quote!([#(#row),*])
        });
        let (scale, bias) = (single(integers.scale), bias.iter().map(|bias| single(*bias)));
        let (table, docs) =
            (table(self.network, i), docs::line(&format!("The layer `{}`: {bits} bits for each weight.", layer.name)));
        Some(quote! {
            #docs
            #[allow(clippy::approx_constant, clippy::unreadable_literal)]
            #inner static #table: #runtime::dense::Layer<'static, ::core::primitive::#kind, #inputs, #outputs> =
                #runtime::dense::Layer::new(&[#(#rows),*], #scale, &[#(#bias),*]);
        })
    }

    /// The fields of the results, with their values.
    pub(super) fn heads(&self) -> Vec<TokenStream> {
        let value = |(layer, field): &(usize, Ident)| {
            let variable = variable(self.network, *layer);
            // The field has the place of the declaration, where the variables of the expansion are not seen.
            if *field == variable { quote!(#variable) } else { quote!(#field: #variable) }
        };
        self.heads.iter().map(value).collect()
    }

    /// The fields of the results, with their types.
    pub(super) fn fields(&self, inner: &TokenStream) -> Vec<TokenStream> {
        let field = |(layer, field): &(usize, Ident)| {
            let operation = self.network.layers.get(*layer).map(|layer| &layer.operation);
            let count = Literal::usize_unsuffixed(self.count(*layer));
            let (kind, what) = match operation {
                Some(Operation::Argmax) => (quote!(::core::primitive::usize), "The class"),
                Some(Operation::Events { capacity }) => (self.lists(*layer, *capacity), "The pixels that are 1,"),
                _ if self.network.is_counted(*layer) => (quote!([::core::primitive::i32; #count]), "The counts"),
                _ => (quote!([::core::primitive::f32; #count]), "The numbers"),
            };
            let name = self.network.name_of(Source::Layer(*layer));
            let docs = docs::line(&format!("{what} of layer `{name}`."));
            quote!(#docs #inner #field: #kind)
        };
        self.heads.iter().map(field).collect()
    }
}

/// What the generated function calls its own.
const TAKEN: [&str; 6] = ["scamp", "image", "scratch", "at", "read", "_"];

/// The variable of a layer: its name, if it is one that a variable can have.
fn variable(network: &Network, layer: usize) -> Ident {
    let name = network.name_of(Source::Layer(layer));
    let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !TAKEN.contains(&name)
        && !name.contains("__")
        && !is_numbered(name)
        && !is_keyword(name);
    if is_plain { format_ident!("{name}") } else { format_ident!("layer_{layer}") }
}

/// The table of a layer: its name in capitals, if its variable has it.
fn table(network: &Network, layer: usize) -> Ident {
    let name = variable(network, layer).to_string().to_uppercase();
    if name == "PLAN" { format_ident!("LAYER_{layer}") } else { format_ident!("{name}") }
}

/// Whether a name is one of those that other layers may get.
fn is_numbered(name: &str) -> bool {
    name.strip_prefix("layer_").is_some_and(|rest| rest.parse::<usize>().is_ok())
}

/// A literal of the nearest number in single precision.
#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
fn single(value: f64) -> TokenStream {
    let value = value as f32;
    let sign = value.is_sign_negative().then(|| quote!(-));
    let digits = Literal::f32_unsuffixed(if value.is_finite() { value.abs() } else { f32::MAX });
    quote!(#sign #digits)
}
