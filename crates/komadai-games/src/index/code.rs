//! The bytes of games and files.

use komadai_core::{Color, Move, Setup};
use komadai_kifu::formation::{Formation, Named};
use komadai_kifu::{FilePlace, Outcome};

use crate::date::GameDate;
use crate::summary::GameSummary;

/// Bytes that are being read; `None` from each function where they are damaged.
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        self.0.split_off(..length)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        let length = self.u32()?;
        str::from_utf8(self.take(usize::try_from(length).ok()?)?).ok()
    }
}

pub(super) fn put_text(text: &str, bytes: &mut Vec<u8>) {
    let length = u32::try_from(text.len()).expect("readers of records bound the length of texts");
    bytes.extend(length.to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn put_count(count: usize, bytes: &mut Vec<u8>) {
    let count = u32::try_from(count).expect("readers of records bound the number of moves");
    bytes.extend(count.to_le_bytes());
}

/// Appends a game, whose path is given as text.
pub(super) fn encode_game(game: &GameSummary, path: &str, bytes: &mut Vec<u8>) {
    put_text(path, bytes);
    put_text(game.place.entry.as_deref().unwrap_or_default(), bytes);
    bytes.extend(game.place.game.to_le_bytes());
    game.players.iter().for_each(|name| put_text(name, bytes));
    put_text(&game.event, bytes);
    let GameDate { year, month, day } = game.date.unwrap_or(GameDate { year: 0, month: 0, day: 0 });
    bytes.extend(year.to_le_bytes());
    bytes.extend([month, day, outcome_code(game.outcome)]);
    let start = if game.setup == Setup::hirate() { String::new() } else { game.setup.to_string() };
    put_text(&start, bytes);
    put_count(game.moves.len(), bytes);
    game.moves.iter().for_each(|m| bytes.extend(m.to_bits().to_le_bytes()));
    put_count(game.formations.len(), bytes);
    for Named { formation, side, ply } in &game.formations {
        put_text(formation.id(), bytes);
        bytes.push(side.index() as u8);
        put_count(*ply, bytes);
    }
}

/// Reads the bytes that [`encode_game`] wrote.
pub(super) fn decode_game(bytes: &[u8]) -> Option<GameSummary> {
    let mut bytes = Bytes(bytes);
    let path = bytes.text()?.into();
    let entry = Some(bytes.text()?.to_owned()).filter(|entry| !entry.is_empty());
    let place = FilePlace { path, entry, game: bytes.u64()? };
    let players = [bytes.text()?.to_owned(), bytes.text()?.to_owned()];
    let event = bytes.text()?.to_owned();
    let (year, month, day) = (bytes.u16()?, bytes.u8()?, bytes.u8()?);
    let date = (year > 0).then_some(GameDate { year, month, day });
    let outcome = outcome_of(bytes.u8()?)?;
    let setup = match bytes.text()? {
        "" => Setup::hirate(),
        sfen => Setup::from_sfen(sfen).ok()?,
    };
    // No memory is reserved for the counts, which may be damaged: each item must be there.
    let moves = (0..bytes.u32()?).map(|_| Move::from_bits(bytes.u16()?));
    let moves = moves.collect::<Option<Vec<_>>>()?;
    let mut formations = Vec::new();
    for _ in 0..bytes.u32()? {
        // A formation that another version knows is left out, as it could not be asked for.
        let formation = Formation::by_name(bytes.text()?);
        let side = *Color::ALL.get(usize::from(bytes.u8()?))?;
        let ply = usize::try_from(bytes.u32()?).ok()?;
        formations.extend(formation.map(|formation| Named { formation, side, ply }));
    }
    let game = GameSummary { place, players, event, date, outcome, setup, moves, formations };
    bytes.0.is_empty().then_some(game)
}

pub(super) fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Unknown => 0,
        Outcome::Win(Color::Black) => 1,
        Outcome::Draw => 2,
        Outcome::Win(Color::White) => 3,
    }
}

pub(super) fn outcome_of(code: u8) -> Option<Outcome> {
    Some(match code {
        0 => Outcome::Unknown,
        1 => Outcome::Win(Color::Black),
        2 => Outcome::Draw,
        3 => Outcome::Win(Color::White),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> GameSummary {
        let formation = Formation::by_name("美濃囲い").unwrap();
        GameSummary {
            place: FilePlace { path: "a/b.zip".into(), entry: Some("c.csa".into()), game: 3 },
            players: ["一郎".to_owned(), String::new()],
            event: "Final".to_owned(),
            date: Some(GameDate { year: 2019, month: 5, day: 0 }),
            outcome: Outcome::Win(Color::White),
            setup: Setup::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap(),
            moves: vec!["P*5e".parse().unwrap(), "5a5b".parse().unwrap()],
            formations: vec![Named { formation, side: Color::White, ply: 19 }],
        }
    }

    #[test]
    fn everything_is_kept_and_nothing_damaged_is_trusted() {
        for game in [game(), GameSummary { setup: Setup::hirate(), date: None, ..game() }] {
            let mut bytes = Vec::new();
            encode_game(&game, "a/b.zip", &mut bytes);
            assert_eq!(decode_game(&bytes), Some(game));
            for length in 0..bytes.len() {
                assert_eq!(decode_game(&bytes[..length]), None, "{length}");
            }
            for at in 0..bytes.len() {
                for bits in [0x01, 0x80, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[at] ^= bits;
                    // The result may differ, but must not panic or exceed the bytes.
                    let _ = decode_game(&damaged);
                }
            }
            bytes.push(0);
            assert_eq!(decode_game(&bytes), None);
        }
    }
}
