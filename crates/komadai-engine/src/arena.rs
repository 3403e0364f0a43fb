//! The names of `komadai-match`, and the contestants of this crate, under their former path.

pub use komadai_match::{
    Adjudication, Clock, Contestant, CpuClock, EloEstimate, Ending, Fault, FaultKind, Game,
    MakeContestant, MakeGuest, Match, MatchError, MatchGame, Opening, OpeningError, Pentanomial,
    PlayedMove, Reply, Rules, Side, Sprt, SprtError, SprtVerdict, Tally, TimeControl, Turn, Usage,
    UsiContestant, Verdict, play_game,
};

pub use crate::book_arena::{ArenaPlayer, BookArena};
pub use crate::embedded::EmbeddedContestant;
