//! The variables that statements assign.

use std::collections::BTreeSet;

use crate::vision::tree::{Action, Block, Expr, Place, What};

pub(super) fn in_block(block: &Block, names: &mut BTreeSet<String>) {
    for statement in &block.statements {
        in_action(&statement.what, names);
    }
    if let Some(value) = &block.value {
        in_expr(value, names);
    }
}

fn in_action(action: &Action, names: &mut BTreeSet<String>) {
    match action {
        Action::Let { value, .. } | Action::Var { value, .. } | Action::Add { value, .. } => in_expr(value, names),
        Action::State { first, .. } => in_expr(first, names),
        Action::Assign { name, value, mask } => {
            names.insert(name.value.clone());
            in_expr(value, names);
            if let Some(mask) = mask {
                in_expr(mask, names);
            }
        }
        Action::Next { value, mask, .. } => {
            in_expr(value, names);
            if let Some(mask) = mask {
                in_expr(mask, names);
            }
        }
        Action::List { .. } => {}
        Action::Repeat { count: of, body, .. }
        | Action::While { condition: of, body, .. }
        | Action::For { list: of, body, .. } => {
            in_expr(of, names);
            in_block(body, names);
        }
        Action::Until { body, .. } => in_block(body, names),
        Action::If(of) => {
            in_expr(&of.condition, names);
            in_block(&of.then, names);
            of.otherwise.iter().for_each(|block| in_block(block, names));
        }
    }
}

/// Blocks stand in expressions too.
fn in_expr(expr: &Expr, names: &mut BTreeSet<String>) {
    match &expr.what {
        What::Number(_) | What::Truth(_) | What::Name(_) | What::UntilStable => {}
        What::Negative(of) | What::Not(of) | What::Field(of, _) => in_expr(of, names),
        What::Binary(_, of) | What::Index(of) => of.iter().for_each(|of| in_expr(of, names)),
        What::At(of, place) => {
            in_expr(of, names);
            match &**place {
                Place::Pair(pair) => in_expr(pair, names),
                Place::Steps(steps) => {
                    steps.iter().filter_map(|(count, _)| count.as_ref()).for_each(|of| in_expr(of, names));
                }
            }
        }
        What::Call(_, arguments) => arguments.iter().for_each(|argument| in_expr(&argument.value, names)),
        What::Tuple(parts) | What::List(parts, _) => parts.iter().for_each(|part| in_expr(part, names)),
        What::Each(each) | What::Joined(each) | What::Best { each, .. } => {
            in_expr(&each.list, names);
            in_expr(&each.value, names);
        }
        What::If(of) => {
            in_expr(&of.condition, names);
            in_block(&of.then, names);
            of.otherwise.iter().for_each(|block| in_block(block, names));
        }
    }
}
