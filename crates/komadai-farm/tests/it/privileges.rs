//! The rights of a worker's role.

use postgres::error::SqlState;

use crate::cluster::with_schema;

/// The functions that workers may call.
const OF_WORKERS: [&str; 15] = [
    "about",
    "analyst_number",
    "claim",
    "claim_task",
    "engines",
    "fail",
    "fail_task",
    "finish",
    "finish_task",
    "heartbeat",
    "heartbeat_task",
    "hello",
    "release",
    "release_task",
    "task_kinds",
];

#[test]
fn a_worker_may_call_its_functions_and_nothing_else() {
    with_schema(|schema| {
        let mut admin = schema.admin();
        let mut worker = schema.client(schema.worker.user());
        let mut coordinator = schema.client(schema.coordinator.user());
        let mut refused = |sql: &str| {
            for client in [&mut worker, &mut coordinator] {
                let error = client.batch_execute(sql).expect_err(sql);
                assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{sql}: {error}");
            }
        };
        let sql = "select relname::text, relkind = 'S' from pg_class \
                   where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'm', 'S', 'p', 'f')";
        let tables = admin.query(sql, &[]).unwrap();
        assert!(tables.len() >= 16, "{} tables", tables.len());
        for row in &tables {
            let (table, is_sequence): (String, bool) = (row.get(0), row.get(1));
            if is_sequence {
                refused(&format!("select nextval('{table}')"));
                continue;
            }
            for sql in [
                format!("select from {table}"),
                format!("delete from {table}"),
                format!("truncate {table}"),
                format!("insert into {table} default values"),
                format!("do $$ begin lock table {table}; end $$"),
                format!("drop table {table}"),
                format!(
                    "create trigger t before insert on {table} execute function pg_catalog.suppress_redundant_updates_trigger()"
                ),
            ] {
                refused(&sql);
            }
        }
        refused("create table mine (x int)");
        refused(&format!("set role {}_owner", schema.name));
        refused(&format!("drop schema {} cascade", schema.name));

        // Every function of the schema, as the catalogue has it, so that none is forgotten.
        let sql = "select p.oid::regprocedure::text, p.proname::text, p.prosecdef, \
                   coalesce(p.proconfig, '{}'), pg_get_userbyid(p.proowner)::text, \
                   has_function_privilege($1, p.oid, 'execute'), has_function_privilege('public', p.oid, 'execute'), \
                   has_function_privilege($2, p.oid, 'execute') \
                   from pg_proc p where pronamespace = current_schema()::regnamespace order by 1";
        let functions =
            admin.query(sql, &[&schema.worker.user(), &schema.coordinator.user()]).unwrap();
        let mut of_workers = Vec::new();
        let mut of_coordinators = 0;
        for row in &functions {
            let (signature, name): (String, String) = (row.get(0), row.get(1));
            let settings: Vec<String> = row.get(3);
            let path = format!("search_path={}, pg_temp", schema.name);
            assert!(settings.contains(&path), "{signature}: {settings:?}");
            assert!(
                row.get::<_, bool>(2) || name == "clock",
                "{signature} has the rights of its caller"
            );
            assert_eq!(row.get::<_, String>(4), format!("{}_owner", schema.name), "{signature}");
            assert!(!row.get::<_, bool>(6), "everybody may call {signature}");
            of_coordinators += usize::from(row.get::<_, bool>(7));
            if row.get(5) {
                of_workers.push(name);
            }
        }
        let mut expected: Vec<&str> = OF_WORKERS.into_iter().chain(["wishes"]).collect();
        expected.sort_unstable();
        of_workers.sort_unstable();
        assert_eq!(of_workers, expected);
        assert!(of_coordinators > expected.len() + 16 && of_coordinators < functions.len());
        // The right is checked where it counts, in a call.
        for sql in [
            "select plan('{}', '{}', '{}', '{}', '{}')",
            "select withdraw('{}')",
            "select * from results(1)",
            "select merged('{}')",
            "select refuse(1, '')",
            "select expire(1)",
            "select counts()",
            "select revive(null)",
            "select drop_dead(null)",
            "select pause(true)",
            "select notify_workers()",
            "select workers()",
            "select plan_tasks('r', 'k', '{}', '{}')",
            "select * from tasks('r')",
            "select redo_tasks('r', '{}')",
            "select drop_tasks('r')",
        ] {
            let error = worker.batch_execute(sql).expect_err(sql);
            assert_eq!(error.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE), "{sql}: {error}");
            coordinator.batch_execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    });
}
