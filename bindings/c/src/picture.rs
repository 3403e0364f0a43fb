//! Pictures of positions.

use std::ffi::c_char;

use komadai::SvgBoard;
use komadai::core::Color as Side;
use komadai::report::SvgTheme;

use crate::pointers::{give_text, shared};
use crate::position::Position;
use crate::status::{Status, call, out_of_range};

/// The colours of a picture.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Those of the reader's system.
    Auto = 0,
    /// Light.
    Light = 1,
    /// Dark.
    Dark = 2,
}

/// Writes the board with both hands as a picture in SVG, the last move marked. `theme` is a
/// value of `KomadaiTheme`; `flip`: White below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_position_svg(
    position: *const Position,
    theme: u32,
    flip: bool,
    out: *mut *mut c_char,
) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let position = &unsafe { shared(position, "the position") }?.0;
        let mut picture = SvgBoard::new(position);
        picture.last_move = position.current().last_move();
        picture.bottom = if flip { Side::White } else { Side::Black };
        picture.theme = match theme {
            found if found == Theme::Auto as u32 => SvgTheme::Auto,
            found if found == Theme::Light as u32 => SvgTheme::Light,
            found if found == Theme::Dark as u32 => SvgTheme::Dark,
            found => return Err(out_of_range("theme", found, "a value of KomadaiTheme")),
        };
        // SAFETY: the caller's promise.
        unsafe { give_text(out, picture.to_string()) }
    })
}
