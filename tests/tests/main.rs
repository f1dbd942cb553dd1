//! What the parts of the project do together.

mod accuracy;
mod any_registers;
mod circles;
mod digital;
mod digital_functions;
mod expansion;
mod files;
mod functions;
mod machines;
mod networks;
mod plans;
mod programs;
mod projects;
mod random;
mod superpixel;
mod support;
mod tasks;
