//! The making and the upgrades of schemas, and clients of other versions.

use komadai_book::queue::{JobQueue as _, JobSource as _, QueueError};
use komadai_farm::{FarmQueue, SCHEMA_VERSION, Schema, Upgraded};

use crate::cluster::with_schema;
use crate::results::{finished, plan, positions, request};

#[test]
fn a_schema_is_made_once_and_an_upgrade_finds_nothing_to_do() {
    with_schema(|schema| {
        let error = Schema::of(&schema.owner).init().unwrap_err();
        assert!(error.to_string().contains("already"), "{error}");
        let upgraded = Schema::of(&schema.owner).upgrade().unwrap();
        assert_eq!(upgraded, Upgraded { from: SCHEMA_VERSION, to: SCHEMA_VERSION });
        let nowhere = "postgres://root@/postgres?schema=nowhere&host=/";
        let nowhere = nowhere.parse::<komadai_farm::FarmUrl>().unwrap();
        let error = Schema::of(&nowhere).upgrade().unwrap_err();
        assert!(error.is_temporary(), "{error}");
        // A worker cannot do it.
        let error = Schema::of(&schema.worker).upgrade().unwrap_err();
        assert!(matches!(error, QueueError::Refused(_)), "{error}");
    });
}

#[test]
fn an_upgrade_keeps_the_content_and_is_all_or_nothing() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(40));
        let jobs = coordinator.lease(&request("a", 20)).unwrap();
        let results: Vec<_> = jobs.iter().take(10).map(finished).collect();
        coordinator.finish(&results).unwrap();
        let before = coordinator.counts().unwrap();
        let content = |admin: &mut postgres::Client| {
            let tables =
                ["job", "waiting", "leased", "result", "worker", "analyst", "settings", "engine"];
            tables.map(|table| {
                let sql = format!(
                    "select md5(coalesce(string_agg(t::text, '|' order by id), '')) from {table} t"
                );
                admin.query_one(&sql, &[]).unwrap().get::<_, String>(0)
            })
        };
        let mut admin = schema.admin();
        let old = content(&mut admin);
        let second = "create table extra (id int); update meta set min_client = 2;
            create or replace function engines() returns table (id int, name text, has_lines boolean)
                language sql stable security definer set search_path = {schema}, pg_temp
                as $$ select id, name, has_lines from engine order by id $$;";
        let broken = ["select 1", second, "select 1 / 0"];
        let error = Schema::of(&schema.owner).with_migrations(&broken).upgrade().unwrap_err();
        assert!(error.to_string().contains("division by zero"), "{error}");
        assert_eq!(Schema::of(&schema.owner).upgrade().unwrap().from, SCHEMA_VERSION);
        let later = ["select 1", second];
        let upgraded = Schema::of(&schema.owner).with_migrations(&later).upgrade().unwrap();
        assert_eq!(upgraded, Upgraded { from: 1, to: 2 });
        assert_eq!(content(&mut admin), old);
        // This client is too old now, and says so by the version.
        let error = FarmQueue::open(&schema.worker, "h").unwrap_err();
        assert!(matches!(error, QueueError::Version { found: 2, .. }), "{error}");
        assert!(error.to_string().contains("use a newer program"), "{error}");
        let error = Schema::of(&schema.owner).upgrade().unwrap_err();
        assert!(matches!(error, QueueError::Version { found: 2, .. }), "{error}");
        // A server that keeps its version may refuse old clients, too.
        admin.batch_execute("update meta set version = 1").unwrap();
        let error = FarmQueue::open(&schema.worker, "h").unwrap_err();
        assert!(error.to_string().contains("needs clients of protocol 2"), "{error}");
        let mut client = schema.client(schema.worker.user());
        let error = client.query("select hello(1, 'x', 'a', 'h')", &[]).unwrap_err();
        assert_eq!(error.code().map(|code| code.code()), Some("KM002"), "{error}");
        admin.batch_execute("update meta set min_client = 1").unwrap();
        assert_eq!(schema.coordinator().counts().unwrap(), before);
    });
}

#[test]
fn a_queue_that_is_not_there_is_refused_by_name() {
    with_schema(|schema| {
        let text = schema.worker.to_string().replace(&schema.name, "nowhere");
        let url: komadai_farm::FarmUrl = text.parse().unwrap();
        let error = FarmQueue::open(&url.for_user("root"), "h").unwrap_err();
        assert!(matches!(error, QueueError::Refused(_)), "{error}");
        for name in ["", "Anna", "a b", "a;b", "pg_a", "1a", &"a".repeat(64)] {
            assert!(Schema::of(&schema.owner).add_worker(name, None).is_err(), "{name}");
        }
        let name = format!("{}_p", schema.name);
        let tricky = r#"a'b"c\d"#;
        Schema::of(&schema.owner).add_worker(&name, Some(tricky)).unwrap();
        assert!(Schema::of(&schema.owner).add_worker(&name, None).is_err());
    });
}
