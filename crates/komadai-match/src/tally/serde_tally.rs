//! Serde support of tallies, which are written only: their sums come from games.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::Tally;
use crate::ending::Ending;

/// The number of games with one ending.
#[derive(serde::Serialize)]
struct EndingCount {
    ending: Ending,
    /// The index of the player that lost; `None` for a draw.
    loser: Option<usize>,
    games: u64,
}

/// The numbers of games, pairs and endings, and the efforts of both players.
impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let endings: Vec<EndingCount> = self
            .endings()
            .map(|(ending, loser, games)| EndingCount { ending, loser, games })
            .collect();
        let mut tally = serializer.serialize_struct("Tally", 6)?;
        tally.serialize_field("games", &self.games())?;
        tally.serialize_field("wins_draws_losses", &self.wins_draws_losses())?;
        tally.serialize_field("black_draw_white", &self.black_draw_white())?;
        tally.serialize_field("pairs", self.pairs())?;
        tally.serialize_field("endings", &endings)?;
        tally.serialize_field("usage", self.usage())?;
        tally.end()
    }
}
