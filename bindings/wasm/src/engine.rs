//! The engine: mate solver and search on the thread of the caller.

use std::collections::BTreeMap;
use std::time::Duration;

use komadai::core::Budget;
use komadai::engine::{Aim, Evaluation, MoveRequest, Parts, Player, Settings};
use komadai::nnue::{Network, Nnue};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::analysis::shown;
use crate::error::{Checked, Code, whole};
use crate::host::{report, stoppable};
use crate::mate;
use crate::position::read_usi;

/// Default size of the search's table, and that of the mate solver's, in MiB.
pub const HASH_MIB: usize = 32;

/// A player with its settings.
#[wasm_bindgen]
pub struct NativeEngine {
    player: Player,
}

/// The limits of a search.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Limits {
    nodes: Option<f64>,
    depth: Option<f64>,
    /// Milliseconds.
    time: Option<f64>,
    infinite: bool,
    multipv: Option<usize>,
    level: Option<u8>,
}

/// The most lines of a search.
const MOST_LINES: usize = 593;

impl Limits {
    fn read(text: &str) -> Checked<Self> {
        serde_json::from_str(text).map_err(|error| Code::Argument.error(format!("limits: {error}")))
    }

    /// Returns the budget from now on.
    fn budget(&self) -> Checked<Budget> {
        let has_level = self.level.is_some_and(|level| level > 0);
        let is_limited = self.nodes.is_some() || self.depth.is_some() || self.time.is_some();
        if !is_limited && !self.infinite && !has_level {
            let text = "limits: found none, expected nodes, depth, time or infinite";
            return Err(Code::Argument.error(text));
        }
        let mut budget = match self.time {
            Some(time) => Budget::time(Duration::from_millis(whole("time", time)?)),
            None => Budget::unlimited(),
        };
        budget.nodes = self.nodes.map(|nodes| whole("nodes", nodes)).transpose()?;
        let depth = self.depth.map(|depth| whole("depth", depth)).transpose()?;
        budget.depth = depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
        Ok(budget)
    }
}

/// Sets a USI option.
fn set(settings: &mut Settings, name: &str, value: &str) -> Checked<()> {
    settings.set_text(name, value).map_err(|error| Code::Engine.error(error))
}

#[wasm_bindgen]
impl NativeEngine {
    /// Makes an engine: with the bundled network or that of a file's bytes, and with USI options as
    /// JSON, texts by their names.
    pub fn create(network: Option<Vec<u8>>, options: &str) -> Checked<NativeEngine> {
        let options: BTreeMap<String, String> = serde_json::from_str(options)
            .map_err(|error| Code::Argument.error(format!("options: {error}")))?;
        let mut settings =
            Settings { hash_mib: HASH_MIB, mate_hash_mib: HASH_MIB, ..Settings::default() };
        for (name, value) in &options {
            set(&mut settings, name, value)?;
        }
        let parts = match network {
            None => Parts::default(),
            Some(bytes) => {
                let network =
                    Network::from_bytes(&bytes).map_err(|error| Code::Network.error(error))?;
                Parts::default().with_evaluation(&Evaluation::Network(Nnue::new(network)))
            }
        };
        let player =
            Player::with_parts(parts, settings).map_err(|error| Code::Engine.error(error))?;
        Ok(Self { player })
    }

    /// Sets a USI option.
    #[wasm_bindgen(js_name = setOption)]
    pub fn set_option(&mut self, name: &str, value: &str) -> Checked<()> {
        let mut settings = self.player.settings().clone();
        set(&mut settings, name, value)?;
        self.player.set_settings(settings).map_err(|error| Code::Engine.error(error))
    }

    /// Forgets what was learned from earlier searches.
    #[wasm_bindgen(js_name = newGame)]
    pub fn new_game(&mut self) {
        self.player.new_game();
    }

    /// Searches a position and returns the analysis as JSON. Those of the iterations are
    /// reported to the JavaScript side.
    pub fn analyse(&mut self, position: &str, limits: &str) -> Checked<String> {
        self.search(position, limits, Aim::Analyse)
    }

    /// Chooses a move to play and returns it with its analysis as JSON.
    pub fn play(&mut self, position: &str, limits: &str) -> Checked<String> {
        self.search(position, limits, Aim::Play)
    }

    /// Searches for a mate.
    #[wasm_bindgen(js_name = solveMate)]
    pub fn solve_mate(&mut self, position: &str, limits: &str, goal: &str) -> Checked<String> {
        let position = read_usi(position)?;
        let mut budget = Limits::read(limits)?.budget()?;
        stoppable(|stop| {
            budget.stop = Some(stop);
            mate::solve(&position, &budget, goal)
        })
    }

    /// Examines a tsume problem.
    #[wasm_bindgen(js_name = checkProblem)]
    pub fn check_problem(&mut self, position: &str, nodes: f64) -> Checked<String> {
        let (position, nodes) = (read_usi(position)?, whole("nodes", nodes)?);
        stoppable(|stop| mate::check(&position, nodes, stop))
    }

    fn search(&mut self, position: &str, limits: &str, aim: Aim) -> Checked<String> {
        let position = read_usi(position)?;
        let limits = Limits::read(limits)?;
        let mut budget = limits.budget()?;
        self.set_lines_and_level(&limits)?;
        let player = &mut self.player;
        let choice = stoppable(|stop| {
            budget.stop = Some(stop);
            let mut request = MoveRequest::new(&position, budget);
            request.aim = aim;
            player.choose(&request, &mut |analysis| report(&shown(analysis, None, None)))
        });
        let hash_full = player.searcher().state().hash_full;
        Ok(shown(&choice.analysis, hash_full, Some(choice.best.to_string())))
    }

    /// Sets number of lines and level, if they are others than those of the last search.
    fn set_lines_and_level(&mut self, limits: &Limits) -> Checked<()> {
        let old = self.player.settings();
        let mut settings = old.clone();
        if let Some(lines) = limits.multipv {
            if !(1..=MOST_LINES).contains(&lines) {
                let text = format!("multipv: found {lines}, expected 1 to {MOST_LINES}");
                return Err(Code::Argument.error(text));
            }
            settings.multi_pv = lines;
        }
        if let Some(level) = limits.level {
            set(&mut settings, "SkillLevel", &level.to_string())?;
        }
        if (settings.multi_pv, settings.skill_level) == (old.multi_pv, old.skill_level) {
            return Ok(());
        }
        self.player.set_settings(settings).map_err(|error| Code::Engine.error(error))
    }
}
