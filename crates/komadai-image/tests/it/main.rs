//! Pictures are decoded by the readers of their formats, and compared pixel by pixel.

mod animations;
mod boards;
