//! The connection of a queue, made again after it has broken.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use komadai_book::queue::QueueError;
use komadai_core::SplitMix64;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};

use crate::connect::connect;
use crate::error::{Fault, refused};
use crate::schema::check_version;
use crate::url::FarmUrl;

/// The shortest and the longest pause before another connection is made.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(60)];

/// The number of times that a call is repeated at once that another one had blocked.
const COLLISIONS: u32 = 5;

/// A parameter of a call.
pub(crate) type Parameter<'p> = &'p (dyn ToSql + Sync);

/// The connection of a queue with its prepared statements.
///
/// A connection that has broken is made again by the next call, after a pause that doubles with each attempt that
/// fails. It has a random length, or the machines of a farm would all come back in the same moment.
pub(crate) struct Link {
    url: FarmUrl,
    is_coordinator: bool,
    /// It was the coordinator over an earlier connection.
    was_coordinator: bool,
    open: Option<Open>,
    /// The number of attempts in a row that failed.
    attempts: u32,
    not_before: Option<Instant>,
    random: SplitMix64,
    /// Called when an outage begins, with the reason, and when it ends.
    pub(crate) report_outage: Option<fn(Option<&str>)>,
    is_away: bool,
}

struct Open {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Link {
    pub(crate) fn new(url: FarmUrl, is_coordinator: bool) -> Self {
        // The pauses of two processes differ; nothing else depends on it.
        let seed = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
        let random = SplitMix64::new(seed);
        let (open, not_before) = (None, None);
        let (was_coordinator, report_outage, is_away) = (false, None, false);
        Self {
            url,
            is_coordinator,
            was_coordinator,
            open,
            attempts: 0,
            not_before,
            random,
            report_outage,
            is_away,
        }
    }

    /// Calls a function of the schema.
    pub(crate) fn rows(
        &mut self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        let result = self.try_rows(sql, parameters);
        let outage = result.as_ref().err().map(Fault::outage);
        // What the server refuses shows that it is there.
        let is_away = matches!(outage, Some(Some(_)));
        if is_away != self.is_away {
            self.is_away = is_away;
            if let Some(report) = self.report_outage {
                report(outage.flatten().as_deref());
            }
        }
        result
    }

    fn try_rows(
        &mut self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        let mut collisions = 0;
        loop {
            let open = self.open()?;
            let result = open.rows(sql, parameters).map_err(Fault::from);
            match result {
                Err(fault) if fault.is_collision() && collisions < COLLISIONS => collisions += 1,
                Err(fault) => {
                    if fault.ends_connection() {
                        self.open = None;
                    }
                    return Err(fault);
                }
                rows => return rows,
            }
        }
    }

    /// Makes the connection if there is none.
    fn open(&mut self) -> Result<&mut Open, Fault> {
        if self.open.as_ref().is_some_and(|open| open.client.is_closed()) {
            self.open = None;
        }
        if self.open.is_none() {
            if let Some(pause) =
                self.not_before.and_then(|at| at.checked_duration_since(Instant::now()))
            {
                let error =
                    format!("the next attempt to connect is due in {} ms", pause.as_millis());
                return Err(QueueError::Unavailable { error: error.into() }.into());
            }
            match self.connect() {
                Ok(open) => {
                    self.open = Some(open);
                    self.attempts = 0;
                    self.not_before = None;
                }
                Err(fault) => {
                    let [shortest, longest] = PAUSES;
                    let longest = shortest.saturating_mul(1 << self.attempts.min(16)).min(longest);
                    let pause =
                        longest / 2 + longest.mul_f64(self.random.below(1_000) as f64 / 2_000.0);
                    self.not_before = Some(Instant::now() + pause);
                    self.attempts = self.attempts.saturating_add(1);
                    return Err(fault);
                }
            }
        }
        Ok(self.open.as_mut().expect("it was just made"))
    }

    fn connect(&mut self) -> Result<Open, Fault> {
        let mut client = connect(&self.url)?;
        check_version(&mut client, self.url.schema())?;
        if self.is_coordinator {
            let lock = "select pg_try_advisory_lock(hashtext('komadai coordinator'), hashtext($1))";
            if !client.query_one(lock, &[&self.url.schema()])?.get::<_, bool>(0) {
                let reason = format!("another program is the coordinator of {}", self.url);
                return Err(match self.was_coordinator {
                    // Most likely the server has not noticed yet that the connection before is gone.
                    true => QueueError::Unavailable { error: reason.into() },
                    false => refused(reason),
                }
                .into());
            }
            self.was_coordinator = true;
        }
        Ok(Open { client, statements: HashMap::new() })
    }
}

impl Open {
    fn rows(
        &mut self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, postgres::Error> {
        let statement = match self.statements.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(sql)?;
                self.statements.insert(sql, statement.clone());
                statement
            }
        };
        self.client.query(&statement, parameters)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_open = self.open.is_some();
        f.debug_struct("Link")
            .field("url", &self.url)
            .field("is_open", &is_open)
            .finish_non_exhaustive()
    }
}
