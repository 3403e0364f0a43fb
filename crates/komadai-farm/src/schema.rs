//! The schema of a queue: its making, its upgrades, its roles.

use komadai_book::queue::QueueError;
use postgres::error::SqlState;
use postgres::{Client, Transaction};
use postgres_protocol::password::scram_sha_256;

use crate::connect::connect;
use crate::error::{Fault, refused};
use crate::url::FarmUrl;

/// The version of the schema that this crate makes and uses.
pub const SCHEMA_VERSION: u32 = 2;

/// The version of the calls by which clients use a schema. A schema refuses clients that are too old for it.
pub(crate) const CLIENT_PROTOCOL: i32 = 1;

/// The SQL of each version, from 1. A version that is published never changes.
const MIGRATIONS: [&str; SCHEMA_VERSION as usize] = [
    concat!(
        include_str!("../sql/001/tables.sql"),
        include_str!("../sql/001/workers.sql"),
        include_str!("../sql/001/coordinator.sql"),
    ),
    concat!(
        include_str!("../sql/002/tasks.sql"),
        include_str!("../sql/002/reports.sql"),
        include_str!("../sql/002/book.sql"),
    ),
];

/// The schema of a queue on a server.
///
/// Three roles without login belong to it: `SCHEMA_owner` owns the tables and functions, members of
/// `SCHEMA_worker` may call the functions of workers and nothing else, members of `SCHEMA_coordinator` those of the
/// coordinator as well. One project has one schema, so that dropping a project is `drop schema … cascade`.
///
/// # Examples
///
/// ```no_run
/// use komadai_farm::{FarmUrl, SCHEMA_VERSION, Schema};
///
/// let url: FarmUrl = "postgres://postgres@localhost/books?schema=komadai_white".parse()?;
/// let schema = Schema::of(&url);
/// schema.init()?;
/// schema.add_worker("anna", Some("a long password"))?;
/// // After an update of the program:
/// assert_eq!(schema.upgrade()?.to, SCHEMA_VERSION);
/// // The address for Anna, over a network that nobody else can read:
/// let anna = url.for_user("anna").with_password("a long password").allow_plain_network();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Schema<'u> {
    url: &'u FarmUrl,
    migrations: &'u [&'u str],
}

/// The versions of a schema before and after an upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Upgraded {
    /// The version before.
    pub from: u32,
    /// The version after.
    pub to: u32,
}

impl<'u> Schema<'u> {
    /// The schema that an address names.
    pub fn of(url: &'u FarmUrl) -> Self {
        Self { url, migrations: &MIGRATIONS }
    }

    /// The same schema with other SQL for its versions, for tests of upgrades.
    ///
    /// ```no_run
    /// # let url = "postgres://postgres@localhost/books".parse::<komadai_farm::FarmUrl>()?;
    /// komadai_farm::Schema::of(&url).with_migrations(&["select 1", "select 2"]).upgrade()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn with_migrations(self, migrations: &'u [&'u str]) -> Self {
        Self { migrations, ..self }
    }

    /// Makes the schema with its roles, and makes the user of the address a coordinator. The user needs the right to
    /// create roles, and schemas in this database.
    ///
    /// # Errors
    ///
    /// If there is such a schema already, or the server refuses a statement. Nothing has changed then.
    pub fn init(&self) -> Result<(), QueueError> {
        self.change(|transaction, schema| {
            if has_schema(transaction, schema)? {
                return Err(refused(format!("there is a schema {schema} already")).into());
            }
            for role in ["owner", "worker", "coordinator"].map(|end| format!("{schema}_{end}")) {
                let is_there = "select exists (select from pg_roles where rolname = $1)";
                if !transaction.query_one(is_there, &[&role])?.get::<_, bool>(0) {
                    transaction.batch_execute(&format!("create role {role} nologin"))?;
                }
            }
            transaction.batch_execute(&format!(
                "grant {schema}_owner, {schema}_coordinator to current_user;
                 grant {schema}_worker to {schema}_coordinator;
                 create schema {schema} authorization {schema}_owner;
                 set local role {schema}_owner;
                 set local search_path = {schema};
                 grant usage on schema {schema} to {schema}_worker, {schema}_coordinator"
            ))?;
            self.migrate(transaction, 0)
        })
    }

    /// Brings the schema to the version of this program, in one transaction.
    ///
    /// # Errors
    ///
    /// If there is no such schema, its version is newer than this program, or the server refuses a statement.
    /// Nothing has changed then.
    pub fn upgrade(&self) -> Result<Upgraded, QueueError> {
        self.change(|transaction, schema| {
            if !has_schema(transaction, schema)? {
                return Err(refused(format!("there is no schema {schema}")).into());
            }
            transaction.batch_execute(&format!(
                "set local role {schema}_owner; set local search_path = {schema}"
            ))?;
            let from: i32 =
                transaction.query_one("select version from meta for update", &[])?.get(0);
            let (from, to) = (from.unsigned_abs(), self.migrations.len() as u32);
            if from > to {
                return Err(version_error(from).into());
            }
            self.migrate(transaction, from)?;
            Ok(Upgraded { from, to })
        })
    }

    /// Creates a login role for a person whose machines work for this queue. The role needs a password,
    /// unless the server trusts the connections.
    ///
    /// # Errors
    ///
    /// If the name is not made of lower-case letters, digits and `_`, there is such a role, or the server refuses
    /// a statement.
    pub fn add_worker(&self, name: &str, password: Option<&str>) -> Result<(), QueueError> {
        let is_valid = name.starts_with(|c: char| c.is_ascii_lowercase())
            && !name.starts_with("pg_")
            && name.len() <= 63
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !is_valid {
            let expected = "at most 63 of a-z, 0-9 and _, a letter first, not pg_";
            return Err(refused(format!("found the name {name:?}, expected {expected}")));
        }
        self.change(|transaction, schema| {
            // The server writes statements into its log, at the latest those that fail; so it gets
            // the password only as it keeps it. That form has no quotation marks.
            let secret = password.map_or_else(String::new, |text| {
                format!("password '{}'", scram_sha_256(text.as_bytes()))
            });
            transaction.batch_execute(&format!(
                "create role {name} login connection limit 64 {secret} in role {schema}_worker;
                 alter role {name} set statement_timeout = '30s';
                 alter role {name} set lock_timeout = '5s';
                 alter role {name} set idle_in_transaction_session_timeout = '10s'"
            ))?;
            Ok(())
        })
    }

    /// Runs a change in a transaction in which nobody else changes schemas.
    fn change<T>(
        &self,
        f: impl FnOnce(&mut Transaction<'_>, &str) -> Result<T, Fault>,
    ) -> Result<T, QueueError> {
        let mut client = connect(self.url)?;
        let run = || -> Result<T, Fault> {
            let mut transaction = client.transaction()?;
            let lock = "select pg_advisory_xact_lock(hashtext('komadai schemas'))";
            transaction.batch_execute(lock)?;
            let result = f(&mut transaction, self.url.schema())?;
            transaction.commit()?;
            Ok(result)
        };
        Ok(run()?)
    }

    /// Runs the migrations after a version.
    fn migrate(&self, transaction: &mut Transaction<'_>, from: u32) -> Result<(), Fault> {
        for (version, sql) in (1..).zip(self.migrations).skip(from as usize) {
            transaction.batch_execute(&sql.replace("{schema}", self.url.schema()))?;
            let version: i32 = version;
            transaction.execute("update meta set version = $1", &[&version])?;
        }
        Ok(())
    }
}

fn has_schema(transaction: &mut Transaction<'_>, schema: &str) -> Result<bool, Fault> {
    let sql = "select exists (select from pg_namespace where nspname = $1)";
    Ok(transaction.query_one(sql, &[&schema])?.get(0))
}

/// Checks that there is a queue in the schema, and that client and schema understand each other.
pub(crate) fn check_version(client: &mut Client, schema: &str) -> Result<(), Fault> {
    let row = match client.query_one("select version, min_client from about()", &[]) {
        Err(error) if error.code() == Some(&SqlState::UNDEFINED_FUNCTION) => {
            let reason = format!("there is no queue in the schema {schema}; init makes one");
            return Err(refused(reason).into());
        }
        row => row?,
    };
    let (version, min_client): (i32, i32) = (row.get(0), row.get(1));
    if version.unsigned_abs() != SCHEMA_VERSION {
        return Err(version_error(version.unsigned_abs()).into());
    }
    if CLIENT_PROTOCOL < min_client {
        let reason = format!(
            "it needs clients of protocol {min_client} or later, this one has {CLIENT_PROTOCOL}"
        );
        return Err(refused(reason).into());
    }
    Ok(())
}

fn version_error(found: u32) -> QueueError {
    let remedy = if found > SCHEMA_VERSION { "use a newer program" } else { "upgrade the queue" };
    QueueError::Version { found: found.into(), expected: format!("{SCHEMA_VERSION} ({remedy})") }
}
