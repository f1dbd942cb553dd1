//! The variables that statements assign, and the states that they give something for the next frame.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;

use crate::vision::tree::{Action, Block, Expr, Pattern, Place, What};

/// The variables.
pub(super) fn in_block(block: &Block, names: &mut BTreeSet<String>) {
    block_with(block, &mut |action| {
        if let Action::Assign { name, .. } = action {
            names.insert(name.value.clone());
        }
    });
}

/// The states.
pub(super) fn states(block: &Block) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    block_with(block, &mut |action| {
        if let Action::Next { name, .. } = action {
            names.insert(name.value.clone());
        }
    });
    names
}

/// Whether something is added to a list of results.
pub(super) fn lists(block: &Block) -> bool {
    let mut is_listed = false;
    block_with(block, &mut |action| is_listed |= matches!(action, Action::Add { .. } | Action::Next { .. }));
    is_listed
}

/// What the statements of a block declare, and where.
pub(super) fn declared(block: &Block) -> BTreeMap<String, Span> {
    let mut names = BTreeMap::new();
    for statement in &block.statements {
        match &statement.what {
            Action::Let { pattern, .. } | Action::Var { pattern, .. } => of_pattern(pattern, &mut names),
            Action::State { name, .. } | Action::List { name } => {
                names.entry(name.value.clone()).or_insert(name.at);
            }
            _ => {}
        }
    }
    names
}

fn of_pattern(pattern: &Pattern, names: &mut BTreeMap<String, Span>) {
    match pattern {
        Pattern::Name(name) => {
            names.entry(name.value.clone()).or_insert(name.at);
        }
        Pattern::Tuple(patterns, _) => patterns.iter().for_each(|pattern| of_pattern(pattern, names)),
    }
}

/// What is done with each statement.
type Seen<'s> = dyn FnMut(&Action) + 's;

fn block_with(block: &Block, seen: &mut Seen<'_>) {
    for statement in &block.statements {
        in_action(&statement.what, seen);
    }
    if let Some(value) = &block.value {
        in_expr(value, seen);
    }
}

fn in_action(action: &Action, seen: &mut Seen<'_>) {
    seen(action);
    match action {
        Action::Let { value, .. } | Action::Var { value, .. } | Action::Add { value, .. } => in_expr(value, seen),
        Action::State { first, .. } => in_expr(first, seen),
        Action::Assign { value, mask, .. } | Action::Next { value, mask, .. } => {
            in_expr(value, seen);
            if let Some(mask) = mask {
                in_expr(mask, seen);
            }
        }
        Action::List { .. } => {}
        Action::Repeat { count: of, body, .. }
        | Action::While { condition: of, body, .. }
        | Action::For { list: of, body, .. } => {
            in_expr(of, seen);
            block_with(body, seen);
        }
        Action::Until { body, .. } => block_with(body, seen),
        Action::If(of) => {
            in_expr(&of.condition, seen);
            block_with(&of.then, seen);
            of.otherwise.iter().for_each(|block| block_with(block, seen));
        }
    }
}

/// Blocks stand in expressions too.
fn in_expr(expr: &Expr, seen: &mut Seen<'_>) {
    match &expr.what {
        What::Number(_) | What::Truth(_) | What::Name(_) | What::UntilStable => {}
        What::Negative(of) | What::Not(of) | What::Field(of, _) => in_expr(of, seen),
        What::Binary(_, of) | What::Index(of) => of.iter().for_each(|of| in_expr(of, seen)),
        What::At(of, place) => {
            in_expr(of, seen);
            match &**place {
                Place::Pair(pair) => in_expr(pair, seen),
                Place::Steps(steps) => {
                    steps.iter().filter_map(|(count, _)| count.as_ref()).for_each(|of| in_expr(of, seen));
                }
            }
        }
        What::Call(_, arguments) => arguments.iter().for_each(|argument| in_expr(&argument.value, seen)),
        What::Tuple(parts) | What::List(parts, _) => parts.iter().for_each(|part| in_expr(part, seen)),
        What::Each(each) | What::Joined(each) | What::Best { each, .. } => {
            in_expr(&each.list, seen);
            in_expr(&each.value, seen);
        }
        What::If(of) => {
            in_expr(&of.condition, seen);
            block_with(&of.then, seen);
            of.otherwise.iter().for_each(|block| block_with(block, seen));
        }
    }
}
