//! Names in a header: registers of the machine, or planes that a function takes in any registers.

use cain_isa::{Reg, Registers};
use cain_search::DeclarationError;

use crate::names;
use crate::tree::Header;

/// The planes of a filter that runs in any registers, each with the register that stands for it in the declaration and the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planes {
    planes: Vec<(Reg, String)>,
}

impl Planes {
    /// The planes of a header, if all of its names are those of planes: in lower case, which no register is.
    ///
    /// They stand for the registers of the machine in the order in which they are named: inputs, outputs, scratch. Scratch
    /// planes that are not named are called after their register.
    pub(crate) fn of<S>(header: &Header<S>, machine: &Registers) -> Option<Self> {
        let named = names_of(header);
        if named.is_empty() || !named.iter().all(|name| is_plane(name)) {
            return None;
        }
        let mut registers = machine.iter();
        let mut planes: Vec<(Reg, String)> = Vec::new();
        for name in named {
            if !planes.iter().any(|(_, plane)| plane == name) {
                // One plane too many is reported when it is resolved.
                let Some(reg) = registers.next() else { break };
                planes.push((reg, name.to_owned()));
            }
        }
        if header.scratch.is_none() {
            for reg in registers {
                let mut name = format!("scratch_{}", reg.to_string().to_lowercase());
                while planes.iter().any(|(_, plane)| *plane == name) {
                    name.push('_');
                }
                planes.push((reg, name));
            }
        }
        Some(Self { planes })
    }

    /// The registers that stand for planes and the names of these, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Reg, &str)> {
        self.planes.iter().map(|(reg, name)| (*reg, name.as_str()))
    }

    /// The plane that a register stands for.
    pub(crate) fn name(&self, reg: Reg) -> Option<&str> {
        self.planes.iter().find(|(known, _)| *known == reg).map(|(_, name)| name.as_str())
    }

    fn register(&self, name: &str) -> Option<Reg> {
        self.planes.iter().find(|(_, plane)| plane == name).map(|(reg, _)| *reg)
    }

    /// What these registers stand for: `` `A` is `image` ``.
    pub(crate) fn legend(&self, registers: impl Fn(Reg) -> bool) -> Option<String> {
        let named = self.planes.iter().filter(|(reg, _)| registers(*reg));
        let parts: Vec<String> = named.map(|(reg, name)| format!("`{reg}` is `{name}`")).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The message about a filter, with what the registers in it stand for if it has planes.
    pub(crate) fn explain(planes: Option<&Self>, message: String) -> String {
        let named = |reg: Reg| message.contains(&format!("`{reg}`"));
        match planes.and_then(|planes| planes.legend(named)) {
            Some(legend) => format!("{message} ({legend})"),
            None => message,
        }
    }
}

/// Whether a name is that of a plane: in lower case.
fn is_plane(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
}

/// The names of a header: inputs, outputs, scratch.
fn names_of<S>(header: &Header<S>) -> Vec<&str> {
    let inputs = header.inputs.iter().map(|input| &input.register);
    let rest = header.outputs.iter().chain(header.scratch.iter().flatten());
    inputs.chain(rest).map(|name| name.value.as_str()).collect()
}

/// What names in a header mean.
pub(super) struct Names<'m> {
    machine: &'m Registers,
    planes: Option<Planes>,
    /// The first register in the header, beside which no planes are possible.
    register: Option<Reg>,
}

impl<'m> Names<'m> {
    pub(super) fn of<S>(header: &Header<S>, machine: &'m Registers) -> Self {
        let register = names_of(header).into_iter().find_map(|name| names::register(name, machine).ok());
        Self { machine, planes: Planes::of(header, machine), register }
    }

    /// The register that a name means or that stands for it.
    pub(super) fn register(&self, name: &str) -> Result<Reg, String> {
        let Some(planes) = &self.planes else {
            return names::register(name, self.machine).map_err(|message| match self.register {
                Some(register) if is_plane(name) && !message.ends_with('?') => format!(
                    "`{name}` is a plane and `{register}` is a register; name registers only, or planes only, in lower case"
                ),
                _ => message,
            });
        };
        names::plane(name)?;
        planes.register(name).ok_or_else(|| {
            let count = self.machine.len();
            let registers = if count == 1 { "register" } else { "registers" };
            format!("there is no register for plane `{name}`; the machine has {count} {registers}")
        })
    }

    /// The registers that a filter may use beside those that it names.
    pub(super) fn registers(&self) -> impl Iterator<Item = Reg> {
        self.machine.iter()
    }

    /// The message about a name that is in the wrong place; `rule` is what holds for planes.
    pub(super) fn misplaced(&self, name: &str, error: &DeclarationError, rule: &str) -> String {
        if self.planes.is_some() { format!("plane `{name}` {rule}") } else { error.to_string() }
    }
}
