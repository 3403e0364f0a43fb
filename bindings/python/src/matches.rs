//! Matches between two engines.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard};

use komadai::analysis::EmbeddedContestant;
use komadai::analysis::match_records::record_of_game;
use komadai::engine::Settings;
use komadai::matches::{
    Adjudication, Contestant, EloEstimate, Match, MatchGame, Opening, Rules, Sprt, SprtVerdict,
    Tally, UsiContestant,
};
use komadai::movegen::DeclarationRule;
use komadai::usi::EngineConfig;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::engine::PyEngine;
use crate::errors;
use crate::limit::seconds;
use crate::record::PyGame;
use crate::time_control::ControlArg;
use crate::usi_engine::PyUsiEngine;
use crate::waiting;

/// A player as a caller may give it.
#[derive(FromPyObject)]
pub enum PlayerArg {
    /// An engine in this process.
    Embedded(Py<PyEngine>),
    /// An engine process.
    Usi(Py<PyUsiEngine>),
}

/// The recipe of the players of a match, one player for each of its threads.
enum Recipe {
    Embedded(Box<Settings>),
    Usi(Box<EngineConfig>),
}

impl PlayerArg {
    fn recipe(&self) -> PyResult<Recipe> {
        match self {
            Self::Embedded(engine) => {
                let settings = Settings { multi_pv: 1, ..engine.get().settings()? };
                Ok(Recipe::Embedded(Box::new(settings)))
            }
            Self::Usi(engine) => Ok(Recipe::Usi(Box::new(engine.get().config()?))),
        }
    }
}

impl Recipe {
    fn player(
        &self,
    ) -> Result<Box<dyn Contestant>, Box<dyn std::error::Error + Send + Sync + 'static>> {
        match self {
            Self::Embedded(settings) => {
                Ok(Box::new(EmbeddedContestant::new((**settings).clone())?))
            }
            Self::Usi(config) => Ok(Box::new(UsiContestant::launch((**config).clone())?)),
        }
    }
}

/// The hypotheses of a sequential test with its error probabilities, which are 5 % each by default.
#[derive(FromPyObject)]
pub enum SprtArg {
    /// elo0, elo1, alpha and beta.
    Full(f64, f64, f64, f64),
    /// elo0 and elo1.
    Short(f64, f64),
}

impl SprtArg {
    fn get(&self) -> PyResult<Sprt> {
        let test = match *self {
            Self::Full(elo0, elo1, alpha, beta) => {
                Sprt::new(elo0, elo1).and_then(|test| test.with_errors(alpha, beta))
            }
            Self::Short(elo0, elo1) => Sprt::new(elo0, elo1),
        };
        test.map_err(errors::value)
    }
}

/// The most threads of a match or an analysis.
const MOST_THREADS: usize = 512;

/// The most games of a match, whose numbers are held in memory.
const MOST_GAMES: usize = 10_000_000;

/// The most random moves after an opening; longer games than that repeat themselves.
const MOST_RANDOM_PLIES: u32 = 1_000;

/// A number of threads.
pub fn threads(number: usize) -> PyResult<NonZero<usize>> {
    let threads = NonZero::new(number).filter(|number| number.get() <= MOST_THREADS);
    threads.ok_or_else(|| {
        errors::value(format!("threads: found {number}, expected 1 to {MOST_THREADS}"))
    })
}

/// The games of a match that is going on, which its standings share.
#[derive(Default)]
struct Games(Mutex<Vec<PyGame>>);

impl Games {
    fn get(&self) -> MutexGuard<'_, Vec<PyGame>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Plays a match; `komadai.match` documents it.
#[pyfunction]
#[pyo3(signature = (first, second, controls, games, openings, *, names, sprt, adjudication,
    max_plies, declaration, random_plies, margin, patience, seed, threads, on_game))]
pub fn play_match(
    py: Python<'_>,
    first: PlayerArg,
    second: PlayerArg,
    controls: (ControlArg, ControlArg),
    games: usize,
    openings: Option<Vec<String>>,
    names: (String, String),
    sprt: Option<SprtArg>,
    adjudication: Option<(i32, u32)>,
    max_plies: u32,
    declaration: Option<&str>,
    random_plies: u32,
    margin: f64,
    patience: f64,
    seed: u64,
    threads: usize,
    on_game: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyMatchResult> {
    let players = [first.recipe()?, second.recipe()?];
    let sprt = sprt.map(|sprt| sprt.get()).transpose()?;
    let openings = match openings {
        None => Opening::bundled(),
        Some(texts) => {
            let opening = |text: &String| {
                let read = Opening::from_usi(text);
                read.map_err(|error| errors::matches(format!("opening {text:?}: {error}")))
            };
            texts.iter().map(opening).collect::<PyResult<_>>()?
        }
    };
    let declaration =
        declaration.map(str::parse::<DeclarationRule>).transpose().map_err(errors::value)?;
    let planned = Match {
        openings,
        games,
        random_plies,
        controls: [controls.0.get()?, controls.1.get()?],
        rules: Rules {
            max_plies,
            declaration: declaration.unwrap_or_default(),
            adjudication: adjudication.map(|(score_cp, moves)| Adjudication { score_cp, moves }),
            margin: seconds("margin", margin)?,
            patience: seconds("patience", patience)?,
        },
        seed,
    };
    let names = [names.0, names.1];
    let threads = self::threads(threads)?;
    if games > MOST_GAMES {
        return Err(errors::value(format!("games: found {games}, expected at most {MOST_GAMES}")));
    }
    if random_plies > MOST_RANDOM_PLIES {
        return Err(errors::value(format!(
            "random_plies: found {random_plies}, expected at most {MOST_RANDOM_PLIES}"
        )));
    }
    let stop: Arc<AtomicBool> = Arc::default();
    let played = Arc::new(Games::default());
    let standing = |tally: &Tally, names: &[String; 2]| PyMatchResult {
        names: names.clone(),
        tally: tally.clone(),
        sprt,
        games: Arc::clone(&played),
    };
    let (tally, ended) = waiting::run(
        py,
        &stop,
        |news| {
            let [first, second] = &players;
            let make = [&|| first.player(), &|| second.player()]
                as [&komadai::matches::ContestantFactory<'_>; 2];
            let mut tally = Tally::default();
            let ended = planned.run(make, threads, &|_| false, &stop, &mut |game| {
                tally.add(&game);
                // The receiver is there as long as this thread.
                let _ = news.send((game, tally.clone()));
                let verdict = sprt.map(|sprt| sprt.verdict(tally.pairs()));
                match verdict {
                    None | Some(SprtVerdict::Undecided) => ControlFlow::Continue(()),
                    Some(_) => ControlFlow::Break(()),
                }
            });
            (tally, ended)
        },
        |_, (game, tally): (MatchGame, Tally)| {
            let [first, second] = &names;
            let game = PyGame::new(record_of_game(&game, [first, second]));
            played.get().push(game.clone());
            match on_game {
                Some(on_game) => on_game.call1((game, standing(&tally, &names))).map(|_| ()),
                None => Ok(()),
            }
        },
    )?;
    ended.map_err(errors::matches)?;
    Ok(standing(&tally, &names))
}

/// The bundled openings, 200 balanced ones of 16 to 30 plies, as USI positions.
#[pyfunction]
pub fn bundled_openings() -> Vec<String> {
    Opening::bundled().iter().map(|opening| opening.game().to_string()).collect()
}

/// The result of a match, seen from the first player.
#[pyclass(name = "MatchResult", module = "komadai", frozen)]
pub struct PyMatchResult {
    names: [String; 2],
    tally: Tally,
    sprt: Option<Sprt>,
    games: Arc<Games>,
}

#[pymethods]
impl PyMatchResult {
    /// The names of the players.
    #[getter]
    fn names(&self) -> (&str, &str) {
        (&self.names[0], &self.names[1])
    }

    /// The games with their times and values, in the order in which they ended.
    #[getter]
    fn games(&self) -> Vec<PyGame> {
        self.games.get().iter().take(self.__len__()).cloned().collect()
    }

    /// The number of games that the first player has won.
    #[getter]
    fn wins(&self) -> u64 {
        self.tally.wins_draws_losses()[0]
    }

    /// The number of drawn games.
    #[getter]
    fn draws(&self) -> u64 {
        self.tally.wins_draws_losses()[1]
    }

    /// The number of games that the first player has lost.
    #[getter]
    fn losses(&self) -> u64 {
        self.tally.wins_draws_losses()[2]
    }

    /// Wins, draws and losses of the first player as Black and as White.
    #[getter]
    fn by_color<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let [black, white] = self.tally.wins_draws_losses_by_color();
        let found = PyDict::new(py);
        found.set_item("black", (black[0], black[1], black[2]))?;
        found.set_item("white", (white[0], white[1], white[2]))?;
        Ok(found)
    }

    /// The numbers of pairs of games with the same opening in which the first player has 0, ½, 1,
    /// 1½ and 2 points. Elo and the test follow from them.
    #[getter]
    fn pairs(&self) -> (u64, u64, u64, u64, u64) {
        let [a, b, c, d, e] = self.tally.pairs().counts();
        (a, b, c, d, e)
    }

    /// The difference in strength; None before a pair is complete.
    #[getter]
    fn elo(&self) -> Option<PyElo> {
        self.tally.pairs().elo().map(PyElo)
    }

    /// "accepted" (the results support elo1), "rejected" (elo0), "undecided", or None without a
    /// test.
    #[getter]
    fn sprt(&self) -> Option<&'static str> {
        self.sprt.map(|sprt| match sprt.verdict(self.tally.pairs()) {
            SprtVerdict::Accepted => "accepted",
            SprtVerdict::Rejected => "rejected",
            SprtVerdict::Undecided => "undecided",
        })
    }

    /// The logarithm of the likelihood ratio of the test; None without one.
    #[getter]
    fn llr(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.llr(self.tally.pairs()))
    }

    /// The values of llr at which the test rejects and accepts; None without one.
    #[getter]
    fn llr_bounds(&self) -> Option<(f64, f64)> {
        self.sprt.map(|sprt| sprt.bounds())
    }

    /// The ends of the games: [(end, name of the loser or None, number of games)].
    #[getter]
    fn endings(&self) -> Vec<(String, Option<&str>, u64)> {
        let name = |player: usize| self.names[player].as_str();
        let endings = self.tally.endings();
        endings.map(|(end, loser, games)| (end.to_string(), loser.map(name), games)).collect()
    }

    /// The effort of both players: {"moves", "mean_time" (seconds), "longest" (seconds),
    /// "mean_nodes", "mean_depth"}.
    #[getter]
    fn usage<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let usages = self.tally.usage().iter().map(|usage| {
            let found = PyDict::new(py);
            found.set_item("moves", usage.moves)?;
            found.set_item("mean_time", usage.mean_time().as_secs_f64())?;
            found.set_item("longest", usage.longest.as_secs_f64())?;
            found.set_item("mean_nodes", usage.mean_nodes())?;
            found.set_item("mean_depth", usage.mean_depth())?;
            Ok(found)
        });
        usages.collect()
    }

    fn __len__(&self) -> usize {
        self.tally.games() as usize
    }

    fn __str__(&self) -> String {
        let [first, second] = &self.names;
        let [wins, draws, losses] = self.tally.wins_draws_losses();
        let mut text = format!("{first} – {second}: +{wins} ={draws} -{losses}");
        if let Some(elo) = self.elo() {
            text.push_str(&format!(", Elo {elo}", elo = elo.__str__()));
        }
        if let (Some(sprt), Some(llr)) = (self.sprt(), self.llr()) {
            text.push_str(&format!(", SPRT {sprt} (LLR {llr:.2})"));
        }
        text
    }

    fn __repr__(&self) -> String {
        format!("<MatchResult: {}>", self.__str__())
    }
}

/// A difference in strength, in logistic Elo.
#[pyclass(name = "Elo", module = "komadai", frozen)]
pub struct PyElo(EloEstimate);

#[pymethods]
impl PyElo {
    /// The most likely value; infinite if one player has won all games.
    #[getter]
    fn elo(&self) -> f64 {
        self.0.elo
    }

    /// The lower end of the 95 % interval.
    #[getter]
    fn low(&self) -> f64 {
        self.0.low
    }

    /// The upper end of the 95 % interval.
    #[getter]
    fn high(&self) -> f64 {
        self.0.high
    }

    /// The probability that the first player is stronger (LOS), 0 to 1.
    #[getter]
    fn los(&self) -> f64 {
        self.0.los
    }

    fn __float__(&self) -> f64 {
        self.0.elo
    }

    fn __str__(&self) -> String {
        // Negative zero has a sign.
        let [elo, low, high] = [self.0.elo, self.0.low, self.0.high].map(|elo| elo + 0.0);
        format!("{elo:+.1} [{low:+.1}, {high:+.1}]")
    }

    fn __repr__(&self) -> String {
        format!("<Elo: {}>", self.__str__())
    }
}
