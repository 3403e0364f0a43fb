//! The names of `komadai-match` and of this crate's contestants under their former path.

pub use komadai_match::{
    Adjudication, Contestant, ContestantFactory as MakeContestant, ContestantFault as Fault,
    CpuClock, EloEstimate, Ending, FaultKind, GameClock as Clock, Match, MatchError, MatchGame,
    Opening, OpeningError, Pentanomial, PlayedGame as Game, PlayedMove, Reply, Rules,
    ScopedContestantFactory as MakeGuest, Side, Sprt, SprtError, SprtVerdict, Tally, TimeControl,
    Turn, Usage, UsiContestant, Verdict, play_game,
};

pub use crate::book_arena::{ArenaPlayer, BookArena};
pub use crate::embedded::EmbeddedContestant;
