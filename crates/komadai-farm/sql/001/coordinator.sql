-- Functions that the coordinator may call, and those that these call.

-- The number of settings.
create function settings_number(nodes bigint, time_ms bigint, depth bigint, multi_pv int, generation bigint,
        engine_name text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    engine_id int;
    found_id int;
begin
    loop
        select id into engine_id from engine where name = engine_name and has_lines = (settings_number.multi_pv > 0);
        exit when found;
        insert into engine (name, has_lines) values (engine_name, settings_number.multi_pv > 0)
            on conflict do nothing;
    end loop;
    loop
        select s.id into found_id from settings s
            where (s.nodes, s.time_ms, s.depth, s.multi_pv, s.generation, s.engine) =
                (settings_number.nodes, settings_number.time_ms, settings_number.depth, settings_number.multi_pv,
                    settings_number.generation, engine_id);
        exit when found;
        insert into settings (nodes, time_ms, depth, multi_pv, generation, engine)
            values (settings_number.nodes, settings_number.time_ms, settings_number.depth, settings_number.multi_pv,
                settings_number.generation, engine_id)
            on conflict do nothing;
    end loop;
    return found_id;
end
$$;
revoke all on function settings_number(bigint, bigint, bigint, int, bigint, text) from public;
grant execute on function settings_number(bigint, bigint, bigint, int, bigint, text) to {schema}_coordinator;

-- Whether an analysis with the first settings satisfies the others as well.
create function settings_cover(old settings, new settings) returns boolean
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select old.nodes >= new.nodes and old.time_ms >= new.time_ms and old.depth >= new.depth
        and old.multi_pv >= new.multi_pv and old.generation >= new.generation
        and (select name from engine where id = new.engine) in ('', (select name from engine where id = old.engine))
    $$;
revoke all on function settings_cover(settings, settings) from public;

-- The number of the settings that cover both: the higher of each number, and the engine of the higher generation, or
-- the later one.
create function settings_joined(old_number int, new_number int) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    old settings;
    new settings;
    old_engine text;
    new_engine text;
begin
    select * into old from settings where id = old_number;
    select * into new from settings where id = new_number;
    select name into old_engine from engine where id = old.engine;
    select name into new_engine from engine where id = new.engine;
    return settings_number(greatest(old.nodes, new.nodes), greatest(old.time_ms, new.time_ms),
        greatest(old.depth, new.depth), greatest(old.multi_pv, new.multi_pv), greatest(old.generation, new.generation),
        case when (new.generation >= old.generation and new_engine <> '') or old_engine = '' then new_engine
            else old_engine end);
end
$$;
revoke all on function settings_joined(int, int) from public;

-- Adds jobs, and changes those that exist: settings are joined, and waiting and leased jobs get the rank; a job of
-- another plan, for another engine or generation, gets it only if it comes before the old one. Each key is there at most once.
-- Returns a number for each: 0 added, 1 settings raised, 2 rank before the old one, 3 rank after it, 4 unchanged, 5 locked
-- by another transaction.
create function plan(keys bytea[], are_turned boolean[], plies bigint[], ranks bigint[], settings_ids int[])
    returns setof int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_custom_plan
    as $$
#variable_conflict use_column
declare
    added bytea[];
    known bigint[];
    known_ranks bigint[];
    known_settings int[];
    known_numbers bigint[];
    are_same boolean[];
    raised bigint[] := '{}';
    before bigint[] := '{}';
    after bigint[] := '{}';
    old_settings int;
    new_settings int;
begin
    with input as (
        select * from unnest(keys, are_turned, plies, ranks, settings_ids) with ordinality
            as input (key, is_turned, ply, rank, settings, number)
    ), new as (
        insert into job (key, is_turned, ply, settings)
        select key, is_turned, ply, settings from input order by number
        on conflict (key) do nothing
        returning id, key
    ), queued as (
        insert into waiting (id, engine, rank)
        select new.id, settings.engine, input.rank
        from (select key, id, row_number() over (order by id) as number from new) as new
            join input on input.key = new.key
            join settings on settings.id = input.settings
    )
    select coalesce(array_agg(key), '{}') into added from new;
    if cardinality(added) = cardinality(keys) then
        perform new_epoch();
        return query select 0 from unnest(keys);
        return;
    end if;
    with locked as (
        select job.id, input.rank, input.settings, input.number,
            o.generation = n.generation and oe.name = ne.name as is_same
        from unnest(keys, ranks, settings_ids) with ordinality as input (key, rank, settings, number)
            join job on job.key = input.key
            join settings o on o.id = job.settings
            join engine oe on oe.id = o.engine
            join settings n on n.id = input.settings
            join engine ne on ne.id = n.engine
        where input.key <> all(added)
        order by job.id
        for update of job skip locked
    )
    select coalesce(array_agg(id), '{}'), array_agg(rank), array_agg(settings), array_agg(number), array_agg(is_same)
        into known, known_ranks, known_settings, known_numbers, are_same from locked;
    for old_settings, new_settings in
        select distinct o.id, n.id
        from unnest(known, known_settings) as wish (id, settings)
            join job on job.id = wish.id
            join settings o on o.id = job.settings
            join settings n on n.id = wish.settings
        where o.id <> n.id and not settings_cover(o, n)
    loop
        with raised_now as (
            update job set settings = settings_joined(old_settings, new_settings), revision = job.revision + 1,
                failures = 0, dead_reason = null, dead_rank = null
            from unnest(known, known_settings) as wish (id, settings)
            where job.id = wish.id and job.settings = old_settings and wish.settings = new_settings
                and job.id <> all(raised)
            returning job.id
        )
        select raised || coalesce(array_agg(id), '{}') into raised from raised_now;
    end loop;
    if cardinality(raised) > 0 then
        update failure set revision = -1 where job = any(raised);
    end if;
    with moved as (
        update waiting w set rank = case when wish.is_same then wish.rank else least(o.rank, wish.rank) end,
            engine = settings.engine
        from unnest(known, known_ranks, are_same) as wish (id, rank, is_same)
            join job on job.id = wish.id
            join settings on settings.id = job.settings
            join waiting o on o.id = wish.id
        where w.id = wish.id and (w.engine <> settings.engine
            or w.rank <> case when wish.is_same then wish.rank else least(o.rank, wish.rank) end)
        returning w.id, o.rank as old_rank, w.rank
    )
    select coalesce(array_agg(id) filter (where rank < old_rank), '{}'),
        coalesce(array_agg(id) filter (where rank > old_rank), '{}')
        into before, after from moved;
    -- A statement of its own: the one above has waited for claims of these jobs.
    with moved as (
        update leased l set rank = case when wish.is_same then wish.rank else least(o.rank, wish.rank) end
        from unnest(known, known_ranks, are_same) as wish (id, rank, is_same)
            join leased o on o.id = wish.id
        where l.id = wish.id
            and l.rank <> case when wish.is_same then wish.rank else least(o.rank, wish.rank) end
        returning l.id, o.rank as old_rank, l.rank
    )
    select before || coalesce(array_agg(id) filter (where rank < old_rank), '{}'),
        after || coalesce(array_agg(id) filter (where rank > old_rank), '{}')
        into before, after from moved;
    if cardinality(raised) > 0 then
        -- What was done or dead waits again.
        insert into waiting (id, engine, rank)
            select job.id, settings.engine, wish.rank
            from unnest(known, known_ranks) as wish (id, rank)
                join job on job.id = wish.id
                join settings on settings.id = job.settings
            where job.id = any(raised) and not exists (select from leased where leased.id = job.id)
            on conflict do nothing;
    end if;
    if cardinality(added) + cardinality(raised) + cardinality(before) + cardinality(after) > 0 then
        perform new_epoch();
    end if;
    return query
        select case
            when input.key = any(added) then 0
            when wish.id is null then 5
            when wish.id = any(raised) then 1
            when wish.id = any(before) then 2
            when wish.id = any(after) then 3
            else 4 end
        from unnest(keys) with ordinality as input (key, number)
            left join unnest(known, known_numbers) as wish (id, number) on wish.number = input.number
        order by input.number;
end
$$;
revoke all on function plan(bytea[], boolean[], bigint[], bigint[], int[]) from public;
grant execute on function plan(bytea[], boolean[], bigint[], bigint[], int[]) to {schema}_coordinator;

-- Removes the jobs of these positions that wait. Returns a number for each: 0 removed, 1 it does not wait, 2 locked by
-- another transaction.
create function withdraw(keys bytea[]) returns setof int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    locked bigint[];
    locked_keys bytea[];
    gone bigint[];
    gone_keys bytea[];
begin
    with found as (select id, key from job where key = any(keys) order by id for update skip locked)
        select coalesce(array_agg(id), '{}'), coalesce(array_agg(key), '{}') into locked, locked_keys from found;
    with removed as (delete from waiting where id = any(locked) returning id)
        select coalesce(array_agg(id), '{}') into gone from removed;
    with removed as (delete from job where id = any(gone) returning key)
        select coalesce(array_agg(key), '{}') into gone_keys from removed;
    delete from failure where job = any(gone);
    return query
        select case
            when asked.key = any(gone_keys) then 0
            when asked.key = any(locked_keys) or not exists (select from job where job.key = asked.key) then 1
            else 2 end
        from unnest(keys) with ordinality as asked (key, number) order by asked.number;
end
$$;
revoke all on function withdraw(bytea[]) from public;
grant execute on function withdraw(bytea[]) to {schema}_coordinator;

-- Wakes workers that listen. Once after a plan, never for each job: transactions that notify commit one after the other.
create function notify_workers() returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$ select pg_notify('{schema}', '') $$;
revoke all on function notify_workers() from public;
grant execute on function notify_workers() to {schema}_coordinator;

-- The oldest results that are not merged, with the name of the worker if it had the lease.
create function results(count int)
    returns table (id bigint, key bytea, payload bytea, worker text)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    as $$
    select r.id, j.key, r.payload, case when not r.is_late then w.name end
    from result r left join job j on j.id = r.job left join worker w on w.id = r.worker
    order by r.id limit count
    $$;
revoke all on function results(int) from public;
grant execute on function results(int) to {schema}_coordinator;

-- Removes results that are in the book.
create function merged(ids bigint[]) returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    as $$ delete from result where id = any(ids) $$;
revoke all on function merged(bigint[]) from public;
grant execute on function merged(bigint[]) to {schema}_coordinator;

-- Puts a result aside that cannot be used. It counts as a failure of its worker; the job waits again, or is dead.
create function refuse(result_id bigint, why text) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    bad result;
    failed job;
begin
    select * into bad from result where id = result_id;
    if not found then
        return;
    end if;
    select * into failed from job where id = bad.job for update;
    delete from result where id = result_id;
    insert into refused (id, job, revision, worker, analyst, format, payload, received, reason)
        values (bad.id, bad.job, bad.revision, bad.worker, bad.analyst, bad.format, bad.payload, bad.received,
            left(why, 2000));
    if failed.id is null or failed.completed <> bad.revision then
        return;
    end if;
    update job set completed = bad.revision - 1 where id = failed.id returning * into failed;
    if failed.revision = bad.revision then
        perform note_failure(failed, bad.worker, 0, why);
    end if;
end
$$;
revoke all on function refuse(bigint, text) from public;
grant execute on function refuse(bigint, text) to {schema}_coordinator;

-- Ends leases whose time is over, at most `count`, and gives jobs up that wait for machines that do not exist. Returns the number
-- of these leases.
create function expire(count int) returns int
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    select give_up_jobs();
    select end_expired(count)
    $$;
revoke all on function expire(int) from public;
grant execute on function expire(int) to {schema}_coordinator;

create function counts(out waiting bigint, out leased bigint, out done bigint, out dead bigint, out unmerged bigint,
        out refused bigint)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select w.count, l.count, j.count - w.count - l.count - d.count, d.count, r.count, f.count
    from (select count(*) from job) as j, (select count(*) from waiting) as w, (select count(*) from leased) as l,
        (select count(*) from job where dead_reason is not null) as d, (select count(*) from result) as r,
        (select count(*) from refused) as f
    $$;
revoke all on function counts() from public;
grant execute on function counts() to {schema}_coordinator;

-- The waiting jobs in the order in which they are leased.
create function waiting_jobs(count int)
    returns table (key bytea, is_turned boolean, ply bigint, rank bigint, nodes bigint, time_ms bigint, depth bigint,
        multi_pv int, generation bigint, engine text)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select j.key, j.is_turned, j.ply, w.rank, s.nodes, s.time_ms, s.depth, s.multi_pv, s.generation, e.name
    from (select * from waiting order by rank, id limit count) as w join job j on j.id = w.id
        join settings s on s.id = j.settings join engine e on e.id = s.engine
    order by w.rank, w.id
    $$;
revoke all on function waiting_jobs(int) from public;
grant execute on function waiting_jobs(int) to {schema}_coordinator;

-- The jobs that wait, are leased, or have a result that is not in the book, in the order of their ranks and numbers.
create function plan_order()
    returns table (key bytea, is_turned boolean, ply bigint, nodes bigint, time_ms bigint, depth bigint, multi_pv int,
        generation bigint, engine text)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select j.key, j.is_turned, j.ply, s.nodes, s.time_ms, s.depth, s.multi_pv, s.generation, e.name
    from (
        select planned.id, min(planned.rank) as rank
        from (
            select id, rank from waiting union all select id, rank from leased union all select job, rank from result
        ) as planned (id, rank)
        group by planned.id
    ) as planned
        join job j on j.id = planned.id join settings s on s.id = j.settings join engine e on e.id = s.engine
    order by planned.rank, planned.id
    $$;
revoke all on function plan_order() from public;
grant execute on function plan_order() to {schema}_coordinator;

create function waiting_by_engine() returns table (engine text, count bigint)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$ select e.name, count(*) from waiting w join engine e on e.id = w.engine group by e.name order by e.name $$;
revoke all on function waiting_by_engine() from public;
grant execute on function waiting_by_engine() to {schema}_coordinator;

create function dead()
    returns table (key bytea, is_turned boolean, ply bigint, nodes bigint, time_ms bigint, depth bigint, multi_pv int,
        generation bigint, engine text, reason text)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select j.key, j.is_turned, j.ply, s.nodes, s.time_ms, s.depth, s.multi_pv, s.generation, e.name, j.dead_reason
    from job j join settings s on s.id = j.settings join engine e on e.id = s.engine
    where j.dead_reason is not null order by j.key
    $$;
revoke all on function dead() from public;
grant execute on function dead() to {schema}_coordinator;

-- Forgets the failures of the jobs of these positions, of all jobs with null: dead ones wait again. Returns the number
-- of jobs that had failures.
create function revive(keys bytea[]) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    ids bigint[];
    dead_ids bigint[];
    dead_ranks bigint[];
begin
    with locked as (
        select j.id, j.dead_rank from job j
        where j.failures > 0 and (keys is null or j.key = any(keys))
        order by j.id for update
    )
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(id) filter (where dead_rank is not null), '{}'),
        coalesce(array_agg(dead_rank) filter (where dead_rank is not null), '{}')
        into ids, dead_ids, dead_ranks from locked;
    update failure set revision = -1 where job = any(ids);
    update job set dead_reason = null, dead_rank = null, failures = 0 where id = any(ids);
    perform wait_again(dead_ids, dead_ranks);
    return cardinality(ids);
end
$$;
revoke all on function revive(bytea[]) from public;
grant execute on function revive(bytea[]) to {schema}_coordinator;

-- Lets jobs wait again that are done, and whose results the outbox does not have. Returns their number.
create function redo(keys bytea[]) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    ids bigint[];
begin
    with locked as (
        select j.id from job j
        where j.key = any(keys) and j.completed = j.revision and j.dead_reason is null
            and not exists (select from result r where r.job = j.id)
        order by j.id for update
    )
    select coalesce(array_agg(id), '{}') into ids from locked;
    update job set completed = revision - 1 where id = any(ids);
    -- The rank of jobs of priority 0.
    perform wait_again(ids, array_fill(-1::bigint, array[cardinality(ids)]));
    return cardinality(ids);
end
$$;
revoke all on function redo(bytea[]) from public;
grant execute on function redo(bytea[]) to {schema}_coordinator;

-- Removes the dead jobs of these positions, all dead jobs with null. Returns their number.
create function drop_dead(keys bytea[]) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    as $$
declare
    ids bigint[];
begin
    with gone as (
        delete from job j where j.dead_reason is not null and (keys is null or j.key = any(keys)) returning j.id
    )
    select coalesce(array_agg(id), '{}') into ids from gone;
    delete from failure where job = any(ids);
    return cardinality(ids);
end
$$;
revoke all on function drop_dead(bytea[]) from public;
grant execute on function drop_dead(bytea[]) to {schema}_coordinator;

-- Workers get no jobs while the queue is paused; their results are accepted.
create function pause(is_pause boolean) returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$ update meta set is_paused = is_pause $$;
revoke all on function pause(boolean) from public;
grant execute on function pause(boolean) to {schema}_coordinator;

-- The options of the queue; null leaves one as it is.
create function set_options(new_max_failures bigint, new_expire_every_ms bigint) returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    update meta set max_failures = coalesce(new_max_failures, max_failures),
        expire_every_ms = coalesce(new_expire_every_ms, expire_every_ms)
    $$;
revoke all on function set_options(bigint, bigint) from public;
grant execute on function set_options(bigint, bigint) to {schema}_coordinator;

-- All workers, with the number of their leases.
create function workers()
    returns table (role text, name text, host text, client text, started_s bigint, silent_s bigint, leased bigint,
        finished bigint, failures bigint, failures_in_row int, nodes bigint)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select w.role::text, w.name, w.host, w.client, extract(epoch from w.started)::bigint,
        greatest(0, extract(epoch from clock() - w.last_seen))::bigint,
        (select count(*) from leased l where l.worker = w.id), w.finished, w.failures, w.failures_in_row,
        least(w.nodes, 9223372036854775807)::bigint
    from worker w order by w.role, w.name
    $$;
revoke all on function workers() from public;
grant execute on function workers() to {schema}_coordinator;

-- The newest failures.
create function failures(count int)
    returns table (key bytea, is_turned boolean, ply bigint, worker text, role text, at_s bigint, reason text)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select j.key, j.is_turned, j.ply, w.name, w.role::text, extract(epoch from f.at)::bigint, f.reason
    from failure f join job j on j.id = f.job join worker w on w.id = f.worker
    order by f.id desc limit count
    $$;
revoke all on function failures(int) from public;
grant execute on function failures(int) to {schema}_coordinator;
