//! What a call of a program consists of, for people.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use cain_isa::{Tally, Times};

use super::{Program, Step};

/// As many passes are no limit that tells anything: those of a flood until nothing changes.
const OPEN_PASSES: u32 = 65_536;

/// Steps that follow each other, a loop or a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub name: String,
    /// How often it is carried out at most: more than once for passes of loops.
    pub most: u64,
    /// How often it is carried out if loops whose number of passes is open have one.
    pub once: u64,
    /// Its control words each time, of the longer way of decisions. Those of a loop are of one pass, without the loops within it,
    /// which are sections of their own.
    pub words: u64,
    /// Its [calls](cain_isa::program::StepOf::calls) of the controller each time.
    pub calls: u64,
    /// Its time each time, as far as it is [known](cain_isa::program::StepOf::nanoseconds).
    pub nanoseconds: u64,
}

/// What the longest frame takes if passes whose number is open are counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnePass {
    /// Its control words.
    pub words: u64,
    /// Its calls of the controller.
    pub calls: u64,
    /// Its time, as far as it is known.
    pub nanoseconds: u64,
}

impl OnePass {
    /// The sum of all sections; `None` if the number of passes is open in none of them.
    #[must_use]
    pub fn of(sections: &[Section]) -> Option<Self> {
        let sum = |cost: fn(&Section) -> u64| {
            sections.iter().fold(0_u64, |sum, section| sum.saturating_add(cost(section).saturating_mul(section.once)))
        };
        let costs = || Self {
            words: sum(|section| section.words),
            calls: sum(|section| section.calls),
            nanoseconds: sum(|section| section.nanoseconds),
        };
        sections.iter().any(Section::is_open).then(costs)
    }

    /// What the longest frame of a program takes, with one pass of each loop whose number of passes is open; and whether there is
    /// such a loop.
    #[must_use]
    pub fn longest(program: &Program) -> (Self, bool) {
        let all = || Self {
            words: u64::try_from(program.words()).unwrap_or(u64::MAX),
            calls: program.calls(),
            nanoseconds: program.nanoseconds(),
        };
        Self::of(&sections(program)).map_or_else(|| (all(), false), |open| (open, true))
    }
}

/// The sections of all parts of a program.
#[must_use]
pub fn sections(program: &Program) -> Vec<Section> {
    let mut sections = Vec::new();
    for part in &program.parts {
        let mut straight: Vec<&Step> = Vec::new();
        for step in &part.steps {
            let name = match step {
                Step::Loop { .. } => part.name.clone(),
                Step::Decide { .. } => format!("{}: decision", part.name),
                _ => {
                    straight.push(step);
                    continue;
                }
            };
            sections.extend(Section::of(&part.name, 1, straight.drain(..), &program.times));
            if matches!(step, Step::Decide { .. }) {
                sections.extend(Section::of(&name, 1, [step], &program.times));
            }
            loops([step], &name, [1, 1], &program.times, &mut sections);
        }
        sections.extend(Section::of(&part.name, 1, straight, &program.times));
    }
    sections
}

/// Adds a section for each pass of loops. The steps are carried out so many times: at most, and [once](Section::once).
fn loops<'s>(
    steps: impl IntoIterator<Item = &'s Step>,
    name: &str,
    times: [u64; 2],
    costs: &Times,
    sections: &mut Vec<Section>,
) {
    for step in steps {
        let (name, times) = match step {
            Step::Loop { most, .. } => {
                let passes =
                    if *most == 1 { "at most 1 pass".to_string() } else { format!("each of at most {most} passes") };
                let [all, once] = times;
                let of_once = if *most >= OPEN_PASSES { 1 } else { *most };
                let times = [all.saturating_mul((*most).into()), once.saturating_mul(of_once.into())];
                let (name, [all, once]) = (format!("{name}: loop, {passes}"), times);
                let pass = step.bodies().into_iter().flatten();
                sections.push(Section { name: name.clone(), most: all, once, ..Section::costs(pass, costs) });
                (name, times)
            }
            _ => (name.to_string(), times),
        };
        loops(step.bodies().into_iter().flatten(), &name, times, costs, sections);
    }
}

impl Section {
    /// Whether nothing limits how often it is carried out.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.once < self.most
    }

    /// A section of steps, if there are any.
    fn of<'s>(name: &str, most: u64, steps: impl IntoIterator<Item = &'s Step>, costs: &Times) -> Option<Self> {
        let mut steps = steps.into_iter().peekable();
        steps.peek()?;
        Some(Self { name: name.to_string(), most, once: most, ..Self::costs(steps, costs) })
    }

    /// What steps cost without the loops among them.
    fn costs<'s>(steps: impl IntoIterator<Item = &'s Step>, costs: &Times) -> Self {
        let mut all = Self { name: String::new(), most: 1, once: 1, words: 0, calls: 0, nanoseconds: 0 };
        for step in steps {
            let more = match step {
                Step::Loop { .. } => continue,
                Step::Decide { then, otherwise, .. } => {
                    let [then, otherwise] = [then, otherwise].map(|body| Self::costs(&body.0, costs));
                    let calls = then.calls.max(otherwise.calls);
                    Self { calls, ..if then.words > otherwise.words { then } else { otherwise } }
                }
                _ => {
                    let words = Tally::words(&step.tally());
                    Self { words, calls: step.calls(), nanoseconds: step.nanoseconds(costs), ..all.clone() }
                }
            };
            all.words = all.words.saturating_add(more.words);
            all.calls = all.calls.saturating_add(more.calls);
            all.nanoseconds = all.nanoseconds.saturating_add(more.nanoseconds);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::Owned;
    use crate::owned::Part;
    use cain_isa::asm::digital::clr;
    use cain_isa::program::Body;
    use cain_isa::{Bit, Dreg};

    fn words(count: usize) -> Step {
        Step::Execute(vec![clr(&[Bit::Reg(Dreg::ALL[5])]); count])
    }

    fn repeated(most: u32, body: Vec<Step>) -> Step {
        let none = Body::<Owned>(Vec::new());
        Step::Loop { most, counter: 0, check: none, goes_on: 1, body: Body::<Owned>(body) }
    }

    #[test]
    fn loops_are_told_by_their_passes() {
        let inner = repeated(100, vec![words(2)]);
        let decision = Step::Decide {
            number: 1,
            then: Body::<Owned>(vec![words(4), inner.clone()]),
            otherwise: Body::<Owned>(vec![words(5)]),
        };
        let steps = vec![words(7), repeated(3, vec![words(1), inner]), words(6), decision];
        let program = Program { parts: vec![Part::new("frame", steps)], ..Program::new("all", Times::SCAMP5) };
        let found: Vec<_> = sections(&program).into_iter().map(|of| (of.name, of.most, of.words, of.calls)).collect();
        let wanted = [
            ("frame", 1, 7, 1),
            ("frame: loop, each of at most 3 passes", 3, 1, 1),
            ("frame: loop, each of at most 3 passes: loop, each of at most 100 passes", 300, 2, 1),
            ("frame", 1, 6, 1),
            ("frame: decision", 1, 5, 1),
            ("frame: decision: loop, each of at most 100 passes", 100, 2, 1),
        ];
        let wanted: Vec<_> =
            wanted.into_iter().map(|(name, most, words, calls)| (name.to_string(), most, words, calls)).collect();
        assert_eq!(found, wanted);
        assert_eq!(program.calls(), 1 + 3 * 101 + 1 + 101);
        assert_eq!(OnePass::of(&sections(&program)), None);
        let (longest, is_open) = OnePass::longest(&program);
        assert_eq!((longest.words, longest.calls, is_open), (program.words() as u64, program.calls(), false));
    }

    #[test]
    fn open_loops_count_once() {
        let costs = |steps: Vec<Step>| {
            let program = Program { parts: vec![Part::new("frame", steps)], ..Program::new("all", Times::SCAMP5) };
            OnePass::of(&sections(&program)).map(|costs| (costs.words, costs.calls))
        };
        let open = |body| repeated(65_536, body);
        let steps = vec![words(7), repeated(3, vec![words(1), open(vec![words(2)])])];
        assert_eq!(costs(steps), Some((7 + 3 * (1 + 2), 1 + 3 * (1 + 1))));
        let within = vec![open(vec![words(1), open(vec![words(2), repeated(4, vec![words(3)])])])];
        assert_eq!(costs(within), Some((1 + 2 + 4 * 3, 1 + 1 + 4)));
        // Each of these has a limit.
        assert_eq!(costs(vec![repeated(300, vec![repeated(300, vec![words(1)])])]), None);
    }

    #[test]
    fn no_count_overflows() {
        let most = |body| repeated(u32::MAX, body);
        let steps = vec![words(2), most(vec![most(vec![most(vec![words(1)])])]), words(1)];
        let program = Program { parts: vec![Part::new("frame", steps)], ..Program::new("all", Times::SCAMP5) };
        assert_eq!((program.words(), program.calls(), program.nanoseconds()), (usize::MAX, u64::MAX, u64::MAX));
        assert_eq!(OnePass::of(&sections(&program)).map(|costs| (costs.words, costs.calls)), Some((4, 3)));
        assert_eq!(OnePass::longest(&program), (OnePass::of(&sections(&program)).unwrap_or_default(), true));
    }
}
