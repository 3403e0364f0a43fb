//! Changes to the log and the view.

use std::collections::BTreeSet;

use komadai_bookfile::position_key::{PositionKey, leads_out, turn};
use komadai_bookfile::{EntryError, check_move};
use redb::{ReadableTable, ReadableTableMetadata, Table, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::change::{Change, KnownMove};
use super::error::StoreFault;
use super::game_row::GameRow;
use super::log_row::{AnalysisRow, LogRow, MoveRow, Seen};
use super::policy::Choice;
use super::reading::{policy_in, read_choice, rows_of};
use super::tables::{
    ANALYST_NUMBERS, ANALYSTS, GAMES, INPUTS, KeyBytes, LOG, LogKey, NEXT_INPUT, NEXT_SEQUENCE,
    NUMBERS, SETTINGS, VIEW, decode, encode, log_key, number_in, take_number,
};
use super::view_row::{Gathered, ViewRow};
use crate::logged_analysis::LoggedAnalysis;
use crate::merge::{Input, Merged};
use komadai_core::AnalystId;

/// The tables that a change affects, opened in one transaction.
pub(crate) struct Writer<'t> {
    transaction: &'t WriteTransaction,
    log: Table<'t, &'static LogKey, &'static [u8]>,
    view: Table<'t, &'static KeyBytes, &'static [u8]>,
    numbers: Table<'t, &'static str, u64>,
    next_sequence: u64,
    /// The positions with new rows, whose view must be derived again.
    touched: BTreeSet<PositionKey>,
    evaluations: usize,
    unheld: usize,
}

/// A source that has been read, with its number in the order of reading.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct InputRow {
    pub(crate) number: u64,
    pub(crate) games: u64,
    pub(crate) name: String,
}

impl<'t> Writer<'t> {
    pub(crate) fn open(transaction: &'t WriteTransaction) -> Result<Self, StoreFault> {
        let numbers = transaction.open_table(NUMBERS)?;
        let next_sequence = number_in(&numbers, NEXT_SEQUENCE)?;
        Ok(Self {
            transaction,
            log: transaction.open_table(LOG)?,
            view: transaction.open_table(VIEW)?,
            numbers,
            next_sequence,
            touched: BTreeSet::new(),
            evaluations: 0,
            unheld: 0,
        })
    }

    /// Adds a change to the log. [`finish`](Self::finish) updates the view.
    pub(crate) fn apply(&mut self, change: &Change) -> Result<(), StoreFault> {
        match change {
            Change::Analysis(logged) => self.analysis(logged),
            Change::Move(known) => self.known_move(known),
            Change::Input(input) => self.input(input).map(drop),
            Change::Game(game) => {
                let mut games = self.transaction.open_table(GAMES)?;
                let number = games.last()?.map_or(0, |(number, _)| number.value() + 1);
                games.insert(number, encode(&GameRow::new(game)?).as_slice())?;
                Ok(())
            }
        }
    }

    fn analysis(&mut self, logged: &LoggedAnalysis) -> Result<(), StoreFault> {
        let key = PositionKey::of(&logged.position)?;
        // The analyst is numbered only after these checks: an analysis that adds nothing adds no
        // analyst.
        let mut row = AnalysisRow::new(logged, 0)?;
        if row.is_empty() {
            return Ok(());
        }
        row.head.analyst = self.analyst_number(&logged.analyst)?;
        let rows = rows_of(&self.log, &key, self.next_sequence)?;
        if !rows.iter().any(|(_, known)| row.is_in(known)) {
            self.evaluations += row.lines.iter().filter(|line| !line.pv.is_empty()).count();
            self.append(key, &LogRow::Analysis(row))?;
        }
        Ok(())
    }

    fn known_move(&mut self, known: &KnownMove) -> Result<(), StoreFault> {
        let KnownMove { position, m, ponder, games } = known;
        check_move(position, *m)?;
        if let Some(ponder) = ponder {
            check_move(&position.after(*m), *ponder)?;
        }
        let key = PositionKey::of(position)?;
        // Without a value the move could never get one: no job can be made of the position after
        // it.
        if leads_out(position, *m) {
            self.unheld += 1;
            return Ok(());
        }
        let code = |m: komadai_core::Move| turn(m, position.side()).to_bits();
        let m = code(*m);
        let ponder = ponder.map(code);
        let row = MoveRow { seen: Seen::of(position), m, ponder, games: *games };
        let is_known = |known: &(u64, LogRow)| match &known.1 {
            LogRow::Move(known) => known.m == m && (ponder.is_none() || known.ponder == ponder),
            _ => false,
        };
        // Games are always added. A row without games adds nothing if the move is known.
        if *games > 0 || !rows_of(&self.log, &key, self.next_sequence)?.iter().any(is_known) {
            self.append(key, &LogRow::Move(row))?;
        }
        Ok(())
    }

    /// Adds a source. Returns whether it was new.
    pub(crate) fn input(&mut self, input: &Input) -> Result<bool, StoreFault> {
        let mut inputs = self.transaction.open_table(INPUTS)?;
        if inputs.get(input.fingerprint)?.is_some() {
            return Ok(false);
        }
        let number = take_number(&mut self.numbers, NEXT_INPUT)?;
        let row = InputRow { number, games: input.games, name: input.name.clone() };
        inputs.insert(input.fingerprint, encode(&row).as_slice())?;
        Ok(true)
    }

    /// The number with this name.
    pub(crate) fn number(&self, name: &str) -> Result<u64, StoreFault> {
        number_in(&self.numbers, name)
    }

    /// Takes the number with this name, and leaves the next one.
    pub(crate) fn take_number(&mut self, name: &str) -> Result<u64, StoreFault> {
        take_number(&mut self.numbers, name)
    }

    /// The number of an analyst. A new analyst gets the next number.
    pub(crate) fn analyst_number(&mut self, id: &AnalystId) -> Result<u16, StoreFault> {
        let mut numbers = self.transaction.open_table(ANALYST_NUMBERS)?;
        let name = encode(id);
        if let Some(number) = numbers.get(name.as_slice())? {
            return Ok(number.value());
        }
        let full = |_| EntryError::Full { what: "analysts", limit: 1 << 16 };
        let number = u16::try_from(numbers.len()?).map_err(full)?;
        numbers.insert(name.as_slice(), number)?;
        self.transaction.open_table(ANALYSTS)?.insert(number, name.as_slice())?;
        Ok(number)
    }

    /// Adds a row to the log of a position.
    pub(crate) fn append(&mut self, key: PositionKey, row: &LogRow) -> Result<(), StoreFault> {
        self.log.insert(&log_key(&key, self.next_sequence), encode(row).as_slice())?;
        self.next_sequence += 1;
        self.touched.insert(key);
        Ok(())
    }

    /// The content of the log for a position.
    pub(crate) fn gathered(&self, key: &PositionKey) -> Result<Gathered, StoreFault> {
        let mut gathered = Gathered::default();
        for (sequence, row) in rows_of(&self.log, key, self.next_sequence)? {
            gathered.add(sequence, &row);
        }
        Ok(gathered)
    }

    /// The stored view of a position, from before this transaction's changes to its log.
    pub(crate) fn view_of(&self, key: &PositionKey) -> Result<Option<ViewRow>, StoreFault> {
        let Some(row) = self.view.get(key.as_bytes())? else { return Ok(None) };
        decode("view", key.as_bytes(), row.value()).map(Some)
    }

    /// Updates the view of all positions with new rows, and counts its new items.
    pub(crate) fn finish(mut self) -> Result<Merged, StoreFault> {
        let policy = policy_in(&self.transaction.open_table(SETTINGS)?)?;
        let choice = read_choice(&policy, &self.transaction.open_table(ANALYST_NUMBERS)?)?;
        let evaluations = self.evaluations;
        let unheld = self.unheld;
        let mut merged = Merged { evaluations, unheld, ..Merged::default() };
        for key in core::mem::take(&mut self.touched) {
            let before = self.view_of(&key)?.map_or(0, |view| view.moves.len());
            let after = self.update_view(&key, choice)?;
            merged.positions += usize::from(before == 0 && after > 0);
            merged.moves += after.saturating_sub(before);
        }
        self.numbers.insert(NEXT_SEQUENCE, self.next_sequence)?;
        Ok(merged)
    }

    /// Derives the view of one position again. Returns the number of its moves.
    fn update_view(&mut self, key: &PositionKey, choice: Choice) -> Result<usize, StoreFault> {
        let view = self.gathered(key)?.view(choice);
        match &view {
            Some(row) => drop(self.view.insert(key.as_bytes(), encode(row).as_slice())?),
            None => drop(self.view.remove(key.as_bytes())?),
        }
        Ok(view.map_or(0, |row| row.moves.len()))
    }
}
