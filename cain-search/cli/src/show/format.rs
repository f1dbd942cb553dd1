//! The formats of programs.

use std::ops::RangeInclusive;

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: costs, proof, and what each register holds
    Text,
    /// A kernel for the vendor's C++ library
    Scamp5,
    #[value(help = "A program for the FPSP simulator, JamalMulla/Simulator on GitHub")]
    Jss,
    /// The dataflow, for Graphviz
    Dot,
    /// A picture of the program
    Svg,
    /// A page that steps through the program
    Html,
}

impl Format {
    pub(crate) const ALL: [Self; 6] = [Self::Text, Self::Scamp5, Self::Jss, Self::Dot, Self::Svg, Self::Html];

    /// Its name as an option.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it shows one program, drawn.
    pub(crate) const fn is_picture(self) -> bool {
        matches!(self, Self::Svg | Self::Html | Self::Dot)
    }
}

/// Details that the formats show besides the program.
#[derive(Clone, Copy, Default)]
pub(crate) struct Details<'a> {
    /// The name of the object that C++ calls are for.
    pub(crate) simulator: Option<&'a str>,
    /// The instructions that are shown with values.
    pub(crate) steps: Option<&'a RangeInclusive<usize>>,
}

impl Details<'_> {
    /// Whether a step is shown, counted from 1.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.steps.is_none_or(|steps| steps.contains(&number))
    }

    /// Fails if steps are asked for that a program of so many does not have.
    pub(crate) fn check(&self, count: usize) -> Result<(), String> {
        match self.steps {
            Some(steps) if *steps.end() > count => {
                let (first, last) = (steps.start(), steps.end());
                Err(format!("`--steps {first}..{last}`: the program has {count} instructions"))
            }
            _ => Ok(()),
        }
    }
}
