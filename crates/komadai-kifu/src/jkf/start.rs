//! The start position of JKF.

use komadai_core::{Color, Handicap, Piece, PieceKind, PositionError, Setup, Square};
use serde_json::{Map, Value};

use super::json::{array, field, number, object, required, text};
use crate::csa::kind_of;
use crate::jkf_fault::{JkfFault, JkfFaultKind};

const CELL: &str = "a square such as `{\"color\":0,\"kind\":\"FU\"}`, or `{}`";

/// Reads the value of `initial`: the even game if there is none.
pub(super) fn read_start(initial: &Value) -> Result<Setup, JkfFault> {
    if initial.is_null() {
        return Ok(Setup::hirate());
    }
    let initial = object(initial, "an object with `preset` or `data`")?;
    let preset = field(initial, "preset", |value| text(value, "the name of a preset"))?;
    let data = field(initial, "data", read_data)?;
    let handicap = preset.and_then(Handicap::from_jkf_preset);
    match (handicap, data) {
        // A board that is given counts more than a name.
        (_, Some(setup)) => Ok(setup),
        (Some(handicap), None) => Ok(handicap.to_setup()),
        (None, None) => {
            let expected = "a preset such as `HIRATE`, or `OTHER` with `data`";
            let found = initial.get("preset").unwrap_or(&Value::Null);
            Err(JkfFault::unexpected(found, expected).within("preset"))
        }
    }
}

fn read_data(data: &Value) -> Result<Setup, JkfFault> {
    let data = object(data, "an object with `color`, `board` and `hands`")?;
    let mut setup = Setup::empty();
    setup.side = field(data, "color", read_color)?.unwrap_or(Color::Black);
    required(data, "board", "nine files of nine squares", |board| {
        let files = array(board, "nine files of nine squares")?;
        if files.len() != 9 {
            return Err(JkfFault::unexpected(board, "nine files of nine squares"));
        }
        for (index, file) in files.iter().enumerate() {
            read_file(file, index, &mut setup).map_err(|fault| fault.at(index))?;
        }
        Ok(())
    })?;
    field(data, "hands", |hands| {
        let both = array(hands, "the hands of both sides")?;
        for ((index, hand), color) in both.iter().enumerate().zip(Color::ALL) {
            read_hand(hand, color, &mut setup).map_err(|fault| fault.at(index))?;
        }
        Ok(())
    })?;
    Ok(setup)
}

fn read_file(file: &Value, index: usize, setup: &mut Setup) -> Result<(), JkfFault> {
    let cells = array(file, "nine squares")?;
    if cells.len() != 9 {
        return Err(JkfFault::unexpected(file, "nine squares"));
    }
    for (rank, cell) in cells.iter().enumerate() {
        setup.board[index * 9 + rank] = read_cell(cell).map_err(|fault| fault.at(rank))?;
    }
    Ok(())
}

fn read_cell(cell: &Value) -> Result<Option<Piece>, JkfFault> {
    if cell.is_null() {
        return Ok(None);
    }
    let cell = object(cell, CELL)?;
    let Some(kind) = field(cell, "kind", read_kind)? else { return Ok(None) };
    let color = required(cell, "color", "0 for Black or 1 for White", read_color)?;
    Ok(Some(Piece::new(color, kind)))
}

fn read_hand(hand: &Value, color: Color, setup: &mut Setup) -> Result<(), JkfFault> {
    let hand: &Map<String, Value> = object(hand, "a hand such as `{\"FU\":2}`")?;
    for (word, count) in hand {
        let kind = kind_of(word).filter(|kind| kind.is_hand_kind()).ok_or_else(|| {
            JkfFault::unexpected(&Value::String(word.clone()), "a kind that can be held")
        })?;
        let max = PieceKind::TOTALS[kind.index()];
        let held = number(count, u64::from(u32::MAX), "a number of pieces")
            .map_err(|fault| fault.within(word))? as u32;
        // A packed hand cannot hold more.
        if held > max {
            let error = PositionError::TooManyPieces { kind, count: held, max };
            return Err(JkfFault::new(JkfFaultKind::StartPosition(error)).within(word));
        }
        setup.hands[color] = setup.hands[color].with(kind, held);
    }
    Ok(())
}

/// Reads a colour: 0 or `true` for Black, 1 or `false` for White. Old files have truth values.
pub(super) fn read_color(value: &Value) -> Result<Color, JkfFault> {
    match (value.as_u64(), value.as_bool()) {
        (Some(0), _) | (_, Some(true)) => Ok(Color::Black),
        (Some(1), _) | (_, Some(false)) => Ok(Color::White),
        _ => Err(JkfFault::unexpected(value, "0 for Black or 1 for White")),
    }
}

/// Reads a kind of piece in the letters of CSA.
pub(super) fn read_kind(value: &Value) -> Result<PieceKind, JkfFault> {
    let kind = value.as_str().and_then(kind_of);
    kind.ok_or_else(|| JkfFault::unexpected(value, "a kind of piece such as \"FU\""))
}

/// Reads a square: `{"x":7,"y":6}`.
pub(super) fn read_square(value: &Value) -> Result<Square, JkfFault> {
    let place = object(value, "a square such as `{\"x\":7,\"y\":6}`")?;
    let coordinate = |value| {
        let expected = "a number from 1 to 9";
        match number(value, 9, expected)? {
            0 => Err(JkfFault::unexpected(value, expected)),
            number => Ok(number as usize - 1),
        }
    };
    let x = required(place, "x", "a number from 1 to 9", coordinate)?;
    let y = required(place, "y", "a number from 1 to 9", coordinate)?;
    Ok(Square::from_index(x * 9 + y).expect("file and rank are below 9"))
}
