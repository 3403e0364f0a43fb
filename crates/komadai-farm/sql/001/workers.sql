-- Functions that workers may call, and those that these call.

create function about()
    returns table (version int, min_client int, max_format int, project text, is_paused boolean)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$ select version, min_client, max_format, project, is_paused from meta $$;
revoke all on function about() from public;
grant execute on function about() to {schema}_worker;

-- Signs a worker in. One that had failed too often in a row gets jobs again.
create function hello(client_protocol int, client_text text, worker_name text, host_name text) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    least int;
    found_id bigint;
begin
    select min_client into least from meta;
    if client_protocol < least then
        raise exception 'this queue needs clients of protocol % or later, this one has %', least, client_protocol
            using errcode = 'KM002';
    end if;
    insert into worker as w (role, name, host, client, started, last_seen)
        values (session_user, worker_name, host_name, client_text, clock(), clock())
        on conflict (role, name) do update
            set host = excluded.host, client = excluded.client, started = excluded.started,
                last_seen = excluded.last_seen, failures_in_row = 0
        returning w.id into found_id;
    return found_id;
end
$$;
revoke all on function hello(int, text, text, text) from public;
grant execute on function hello(int, text, text, text) to {schema}_worker;

-- The number of an analyst.
create function analyst_number(analyst_name text, analyst_version text, analyst_options text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    found_id int;
begin
    loop
        select id into found_id from analyst
            where name = analyst_name and version = analyst_version and options = analyst_options;
        exit when found;
        insert into analyst (name, version, options) values (analyst_name, analyst_version, analyst_options)
            on conflict do nothing;
    end loop;
    return found_id;
end
$$;
revoke all on function analyst_number(text, text, text) from public;
grant execute on function analyst_number(text, text, text) to {schema}_worker;

-- The worker of that number, if it is of the role that is logged in.
create function own_worker(worker_id bigint) returns worker
    language plpgsql stable security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    own worker;
begin
    select * into own from worker where id = worker_id and role = session_user;
    if not found then
        raise exception 'role % has no worker of number %', session_user, worker_id using errcode = 'KM001';
    end if;
    return own;
end
$$;
revoke all on function own_worker(bigint) from public;

-- Adds the number of jobs that may have come before the places that workers have reached.
create function new_epoch() returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$ update epoch set value = value + 1 $$;
revoke all on function new_epoch() from public;

-- Lets jobs wait again that are not done; their leases have been removed by the caller, who holds the rows of `job`.
create function wait_again(ids bigint[], ranks bigint[]) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
begin
    insert into waiting (id, engine, rank)
        select job.id, settings.engine, back.rank
        from unnest(ids, ranks) as back (id, rank)
            join job on job.id = back.id
            join settings on settings.id = job.settings
        where job.completed < job.revision and job.dead_reason is null
        on conflict do nothing;
    perform new_epoch();
end
$$;
revoke all on function wait_again(bigint[], bigint[]) from public;

-- Ends at most `count` leases whose time is over, and returns their number.
create function end_expired(count int) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    now_at timestamptz := clock();
    candidates bigint[];
    ended_ids bigint[];
    ended_ranks bigint[];
begin
    candidates := array(select id from leased where until <= now_at order by until limit count);
    if cardinality(candidates) = 0 then
        return 0;
    end if;
    candidates := array(select id from job where id = any(candidates) order by id for update skip locked);
    with ended as (
        delete from leased where id = any(candidates) and until <= now_at returning id, rank
    )
    select array_agg(id), array_agg(rank) into ended_ids, ended_ranks from ended;
    if ended_ids is null then
        return 0;
    end if;
    update job set expiries = expiries + 1 where id = any(ended_ids);
    perform wait_again(ended_ids, ended_ranks);
    return cardinality(ended_ids);
end
$$;
revoke all on function end_expired(int) from public;

-- All engines that jobs name.
create function engines() returns table (id int, name text, has_lines boolean)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$ select id, name, has_lines from engine order by id $$;
revoke all on function engines() from public;
grant execute on function engines() to {schema}_worker;

-- Leases at most `count` waiting jobs to a worker, in the order of their ranks and numbers: jobs for these engines, or for
-- all with null. `newest_engine` is the newest one that the client knows (0 for none); if there are newer ones, the client has
-- to decide about them first.
--
-- Rows of jobs that were taken stay in the index as long as any transaction may see them, in this database or in a
-- copy. So each connection keeps the place that it has reached for each engine, and begins there, until the epoch changes or
-- fewer jobs come than were asked for. The claim need not survive a crash of the server: its jobs wait again then.
create function claim(worker_id bigint, newest_engine int, of_engines int[], count int, lease_ms bigint)
    returns table (key bytea, token bigint, revision int, is_turned boolean, ply bigint, rank bigint, failures int,
        expiries int, nodes bigint, time_ms bigint, depth bigint, multi_pv int, generation bigint, engine int)
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    own worker;
    now_at timestamptz := clock();
    options meta;
    expired_at timestamptz;
    current_epoch bigint;
    engines int[];
    places_rank bigint[];
    places_id bigint[];
    place text[];
    at int;
    bound_rank bigint;
    bound_id bigint;
    all_ids bigint[] := '{}';
    taken_ids bigint[];
    taken_ranks bigint[];
    is_second_try boolean := false;
    of_machine bigint[];
    has_failures boolean;
begin
    perform set_config('synchronous_commit', 'off', true);
    own := own_worker(worker_id);
    select * into options from meta;
    if own.failures_in_row >= options.max_failures_in_row then
        raise exception '%', own.failures_in_row using errcode = 'KM004';
    end if;
    -- The clock of a machine may be put back.
    expired_at := nullif(current_setting('{schema}.expired_at', true), '')::timestamptz;
    if expired_at is null or now_at < expired_at
        or now_at >= expired_at + options.expire_every_ms * interval '1 ms' then
        perform end_expired(100);
        perform set_config('{schema}.expired_at', now_at::text, false);
    end if;
    if count <= 0 or options.is_paused then
        return;
    end if;
    -- What workers of a machine have failed at too often is left to other machines.
    has_failures := exists (select from failure);
    if has_failures then
        of_machine := array(select w.id from worker w where w.role = own.role and w.machine = own.machine);
    end if;
    -- Before the scan: a job that comes to wait later changes the epoch later.
    select value into current_epoch from epoch;
    if of_engines is null then
        engines := array(select id from engine order by id);
    elsif newest_engine <> coalesce((select max(id) from engine), 0) then
        raise exception 'there are engines that the client has not seen' using errcode = 'KM005';
    else
        engines := of_engines;
    end if;
    if cardinality(engines) = 0 then
        return;
    end if;
    <<tries>>
    loop
        for i in 1 .. cardinality(engines) loop
            place := case when is_second_try then null else
                string_to_array(current_setting('{schema}.e' || engines[i] || 'w' || worker_id, true), ' ') end;
            if place[1] = current_epoch::text then
                places_rank[i] := place[2]::bigint;
                places_id[i] := place[3]::bigint;
            else
                places_rank[i] := '-9223372036854775808'::bigint;
                places_id[i] := -1;
            end if;
        end loop;
        loop
            -- The engine whose first job is the first of all, and the first job of the others.
            if cardinality(engines) = 1 then
                at := 1;
                bound_rank := null;
            else
                with heads as (
                    select e.number, head.rank, head.id
                    from unnest(engines, places_rank, places_id) with ordinality as e (engine, rank, id, number),
                        lateral (
                            select w.rank, w.id from waiting w
                            where w.engine = e.engine and (w.rank, w.id) > (e.rank, e.id)
                            order by w.rank, w.id limit 1
                        ) as head
                    order by head.rank, head.id limit 2
                )
                select (array_agg(number))[1], (array_agg(rank))[2], (array_agg(id))[2]
                    into at, bound_rank, bound_id from heads;
            end if;
            exit when at is null;
            if bound_rank is null then
                bound_rank := 9223372036854775807;
                bound_id := 9223372036854775807;
            end if;
            with chosen as materialized (
                select w.id, w.rank from waiting w
                where w.engine = engines[at] and (w.rank, w.id) > (places_rank[at], places_id[at])
                    and (w.rank, w.id) < (bound_rank, bound_id)
                    and (not has_failures or options.max_failures > (
                        select count(*) from failure f join job j on j.id = f.job
                        where f.job = w.id and f.worker = any(of_machine) and f.revision = j.revision))
                order by w.rank, w.id limit count - cardinality(all_ids)
                for update of w skip locked
            ), gone as (
                delete from waiting w using chosen where w.id = chosen.id
                returning w.id, w.rank
            )
            select coalesce(array_agg(id order by rank, id), '{}'), array_agg(rank order by rank, id)
                into taken_ids, taken_ranks from gone;
            if cardinality(taken_ids) > 0 then
                all_ids := all_ids || taken_ids;
                return query
                    with given as (
                        insert into leased (id, token, worker, revision, rank, granted, until)
                        select j.id, uuid_hash_extended(gen_random_uuid(), 0), worker_id, j.revision, t.rank, now_at,
                            now_at + lease_ms * interval '1 ms'
                        from unnest(taken_ids, taken_ranks) as t (id, rank) join job j on j.id = t.id
                        returning id, token, rank
                    )
                    select j.key, g.token, j.revision, j.is_turned, j.ply, g.rank, j.failures, j.expiries,
                        s.nodes, s.time_ms, s.depth, s.multi_pv, s.generation, s.engine
                    from given g join job j on j.id = g.id join settings s on s.id = j.settings
                    order by g.rank, g.id;
            end if;
            if cardinality(all_ids) >= count then
                -- Nothing that this connection may take is before these places, as long as the epoch is the same.
                places_rank[at] := taken_ranks[cardinality(taken_ranks)];
                places_id[at] := taken_ids[cardinality(taken_ids)];
                for i in 1 .. cardinality(engines) loop
                    perform set_config('{schema}.e' || engines[i] || 'w' || worker_id,
                        current_epoch || ' ' || places_rank[i] || ' ' || places_id[i], false);
                end loop;
                return;
            end if;
            exit when cardinality(engines) = 1;
            places_rank[at] := bound_rank;
            places_id[at] := bound_id;
        end loop;
        -- Fewer came: what others left behind and what has expired is taken as well, from the first place on.
        exit tries when is_second_try;
        is_second_try := true;
        for i in 1 .. cardinality(engines) loop
            perform set_config('{schema}.e' || engines[i] || 'w' || worker_id, '', false);
        end loop;
        perform end_expired(100);
    end loop;
    if cardinality(all_ids) = 0 then
        -- A worker that waits for jobs is there as well.
        perform count_results(worker_id, 0, 0, false);
    end if;
end
$$;
revoke all on function claim(bigint, int, int[], int, bigint) from public;
grant execute on function claim(bigint, int, int[], int, bigint) to {schema}_worker;

-- Extends leases. Returns for each whether it is held.
create function heartbeat(keys bytea[], tokens bigint[], lease_ms bigint) returns setof boolean
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    now_at timestamptz := clock();
    held bigint[];
begin
    perform set_config('synchronous_commit', 'off', true);
    held := array(
        select l.id
        from unnest(keys, tokens) as asked (key, token)
            join job on job.key = asked.key
            join leased l on l.id = job.id and l.token = asked.token
            join worker on worker.id = l.worker and worker.role = session_user
        order by l.id
        for update of l
    );
    update leased set until = now_at + lease_ms * interval '1 ms' where id = any(held);
    update worker set last_seen = now_at where id in (select l.worker from leased l where l.id = any(held));
    return query
        select coalesce(l.id = any(held) and l.token = asked.token, false)
        from unnest(keys, tokens) with ordinality as asked (key, token, number)
            left join job on job.key = asked.key
            left join leased l on l.id = job.id
        order by asked.number;
end
$$;
revoke all on function heartbeat(bytea[], bigint[], bigint) from public;
grant execute on function heartbeat(bytea[], bigint[], bigint) to {schema}_worker;

-- The engines and numbers of lines that the jobs of these positions state now; null without a job.
create function wishes(keys bytea[]) returns table (engine int, multi_pv int)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    as $$
    select settings.engine, settings.multi_pv
    from unnest(keys) with ordinality as asked (key, number)
        left join job on job.key = asked.key
        left join settings on settings.id = job.settings
    order by asked.number
    $$;
revoke all on function wishes(bytea[]) from public;
grant execute on function wishes(bytea[]) to {schema}_worker;

-- Stores results and ends their jobs. Each job is there at most once. The client has compared the analyst of each
-- result with the engine that it states. Returns a number for each: 0 accepted, 1 accepted late, 2 already done, 3 the job
-- names another engine by now, 4 there is no such job or revision.
--
-- A result ends a job that waits as well: after a crash of the server claims may be undone whose results arrive.
create function finish(worker_ids bigint[], keys bytea[], tokens bigint[], revisions int[], engines int[],
        analysts int[], formats int[], payloads bytea[], nodes bigint[]) returns setof int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    ids bigint[];
    accepted bigint[];
    ended bigint[];
    held bigint[];
    back bigint[];
    back_ranks bigint[];
    codes int[];
begin
    perform own_worker(id) from (select distinct id from unnest(worker_ids) as given (id)) as given;
    if exists (select from unnest(formats) as f (format), meta where f.format > meta.max_format or f.format < 1) then
        raise exception 'this queue takes results of format % at most', (select max_format from meta)
            using errcode = 'KM003';
    end if;
    -- In the order of the arguments. Results that cannot be accepted get no job.
    select array_agg(case when job.id is null or job.revision < done.revision or done.revision < 0 then 4
                when settings.engine <> done.engine then 3
                else 2 end order by done.number),
            array_agg(case when job.revision >= done.revision and done.revision >= 0
                and settings.engine = done.engine then job.id end order by done.number)
        into codes, ids
        from unnest(keys, revisions, engines) with ordinality as done (key, revision, engine, number)
            left join job on job.key = done.key
            left join settings on settings.id = job.settings;
    -- Rows of jobs are locked in the order of their numbers.
    with done as materialized (
        select done.* from unnest(worker_ids, ids, tokens, revisions, analysts, formats, payloads) with ordinality
            as done (worker, id, token, revision, analyst, format, payload, number)
        where done.id is not null order by done.id
    ), changed as (
        update job set completed = done.revision,
            dead_reason = case when done.revision < job.revision then dead_reason end,
            dead_rank = case when done.revision < job.revision then dead_rank end
        from done where job.id = done.id and job.completed < done.revision
        returning job.id, job.revision = done.revision as is_end, done.worker, done.token, done.revision,
            done.analyst, done.format, done.payload, done.number
    ), stored as (
        insert into result (job, revision, worker, analyst, format, payload, received, is_late, rank)
        select c.id, c.revision, c.worker, c.analyst, c.format, c.payload, clock(),
            not exists (select from leased l where l.id = c.id and l.token = c.token),
            coalesce((select l.rank from leased l where l.id = c.id), (select w.rank from waiting w where w.id = c.id), 0)
        from changed c order by c.number
        on conflict (job, revision) do nothing
    )
    select coalesce(array_agg(id), '{}'), coalesce(array_agg(id) filter (where is_end), '{}')
        into accepted, ended from changed;
    delete from waiting where id = any(ended);
    -- A statement of its own, after the one above has waited for claims of these jobs.
    with gone as (
        delete from leased l using unnest(ids, tokens) as done (id, token)
        where l.id = done.id and (l.id = any(ended) or (l.id = any(accepted) and l.token = done.token
            and exists (select from worker w where w.id = l.worker and w.role = session_user)))
        returning l.id, l.rank, l.token = done.token as is_own
    )
    select coalesce(array_agg(id) filter (where is_own), '{}'),
        array_agg(id) filter (where id <> all(ended)), array_agg(rank) filter (where id <> all(ended))
        into held, back, back_ranks from gone;
    if back is not null then
        -- The settings were raised after these leases were granted.
        perform wait_again(back, back_ranks);
    end if;
    perform count_results(sums.worker, sums.finished, sums.nodes, sums.has_held)
    from (
        select done.worker, count(*) as finished, sum(done.nodes) as nodes, bool_or(done.id = any(held)) as has_held
        from unnest(worker_ids, ids, nodes) as done (worker, id, nodes)
        where done.id = any(accepted) group by done.worker order by done.worker
    ) as sums;
    return query
        select case when done.id is null or done.id <> all(accepted) then codes[done.number]
            when done.id = any(held) then 0 else 1 end
        from unnest(ids) with ordinality as done (id, number) order by done.number;
end
$$;
revoke all on function finish(bigint[], bytea[], bigint[], int[], int[], int[], int[], bytea[], bigint[]) from public;
grant execute on function finish(bigint[], bytea[], bigint[], int[], int[], int[], int[], bytea[], bigint[])
    to {schema}_worker;

-- Counts results of a worker, at most once a second in its row: each call reads this row, and while any transaction
-- may see the old ones, it would have to pass over all of them.
create function count_results(worker_id bigint, count bigint, of_nodes numeric, has_held boolean) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    name text := '{schema}.r' || worker_id;
    -- The results and nodes that are not in the row yet, and the time of the last change.
    kept text[] := string_to_array(nullif(current_setting(name, true), ''), ' ');
    results bigint := coalesce(kept[1]::bigint, 0) + count;
    sum_nodes numeric := coalesce(kept[2]::numeric, 0) + of_nodes;
    now_s numeric := extract(epoch from clock());
begin
    if kept is not null and count > 0 and now_s >= kept[3]::numeric and now_s < kept[3]::numeric + 1
        and not (has_held and exists (select from worker where id = worker_id and failures_in_row > 0)) then
        perform set_config(name, results || ' ' || sum_nodes || ' ' || kept[3], false);
        return;
    end if;
    update worker set finished = finished + results, nodes = nodes + sum_nodes, last_seen = clock(),
        failures_in_row = case when has_held then 0 else failures_in_row end
        where id = worker_id;
    perform set_config(name, '0 0 ' || now_s, false);
end
$$;
revoke all on function count_results(bigint, bigint, numeric, boolean) from public;

-- Notes a failure: 0 the job waits again, 1 it waits for other workers, 2 it is dead, 3 the lease had ended.
--
-- A job is dead after enough failures of at least two machines, because one machine alone may be the cause.
create function fail(worker_id bigint, job_key bytea, lease_token bigint, why text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    failed job;
    lost leased;
begin
    perform own_worker(worker_id);
    select * into failed from job where key = job_key for update;
    delete from leased where id = failed.id and token = lease_token
        and worker in (select w.id from worker w where w.role = session_user) returning * into lost;
    if not found then
        return 3;
    end if;
    return note_failure(failed, worker_id, lost.rank, why);
end
$$;
revoke all on function fail(bigint, bytea, bigint, text) from public;
grant execute on function fail(bigint, bytea, bigint, text) to {schema}_worker;

-- Counts a failure of a job whose row the caller has locked, and lets it wait again or gives it up. Returns the number that
-- `fail` returns.
create function note_failure(failed job, worker_id bigint, job_rank bigint, why text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    most bigint := (select max_failures from meta);
    failed_machines bigint;
    own_failures bigint;
begin
    update worker set failures = failures + 1, failures_in_row = failures_in_row + 1, last_seen = clock()
        where id = worker_id;
    insert into failure (job, revision, worker, at, reason)
        values (failed.id, failed.revision, worker_id, clock(), left(why, 2000));
    select count(distinct (w.role, w.machine)),
            count(*) filter (where (w.role, w.machine) = (own.role, own.machine))
        into failed_machines, own_failures
        from failure f join worker w on w.id = f.worker, worker own
        where f.job = failed.id and f.revision = failed.revision and own.id = worker_id;
    if failed_machines >= 2 and failed.failures + 1 >= most then
        update job set failures = failures + 1, dead_reason = left(why, 2000), dead_rank = job_rank
            where id = failed.id;
        return 2;
    end if;
    update job set failures = failures + 1 where id = failed.id;
    perform wait_again(array[failed.id], array[job_rank]);
    return case when own_failures >= most then 1 else 0 end;
end
$$;
revoke all on function note_failure(job, bigint, bigint, text) from public;

-- Whether a machine other than these has given a sign of life in the last ten minutes.
create function is_other_machine_there(roles name[], machines text[]) returns boolean
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select exists (
        select from worker w
        where w.last_seen > clock() - interval '10 minutes'
            and not exists (
                select from unnest(roles, machines) as known (role, machine)
                where (known.role, known.machine) = (w.role, w.machine)))
    $$;
revoke all on function is_other_machine_there(name[], text[]) from public;

-- Gives jobs up that have waited ten minutes for another machine than those that have failed too often at them, if there is
-- none. Otherwise a single machine would wait for ever for one that never comes.
create function give_up_jobs() returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    most bigint := (select max_failures from meta);
    stuck record;
begin
    for stuck in
        with machines as (
            select f.job, w.role, w.machine, count(*) as failures, max(f.id) as newest, max(f.at) as at
            from failure f join job j on j.id = f.job and j.revision = f.revision join worker w on w.id = f.worker
            where j.failures > 0 and j.failures >= most and j.dead_reason is null and j.completed < j.revision
            group by f.job, w.role, w.machine
        )
        select m.job, max(m.newest) as newest from machines m
        group by m.job
        having max(m.at) <= clock() - interval '10 minutes'
            and not is_other_machine_there(array_agg(m.role) filter (where m.failures >= most),
                array_agg(m.machine) filter (where m.failures >= most))
        order by m.job
    loop
        perform from job where id = stuck.job for update;
        with gone as (delete from waiting where id = stuck.job returning rank)
        update job set dead_rank = gone.rank, dead_reason = (select reason from failure where id = stuck.newest)
            from gone where job.id = stuck.job;
    end loop;
end
$$;
revoke all on function give_up_jobs() from public;

-- Gives leases back without a failure.
create function release(keys bytea[], tokens bigint[]) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    set enable_seqscan = off
    set jit = off
    set enable_bitmapscan = off
    as $$
declare
    ids bigint[];
    ranks bigint[];
begin
    perform set_config('synchronous_commit', 'off', true);
    ids := array(select id from job where key = any(keys) order by id for update);
    with gone as (
        delete from leased l
        where l.id = any(ids)
            and exists (select from unnest(keys, tokens) as given (key, token) join job on job.key = given.key
                where job.id = l.id and given.token = l.token)
            and l.worker in (select w.id from worker w where w.role = session_user)
        returning l.id, l.rank
    )
    select array_agg(id), array_agg(rank) into ids, ranks from gone;
    if ids is not null then
        perform wait_again(ids, ranks);
    end if;
end
$$;
revoke all on function release(bytea[], bigint[]) from public;
grant execute on function release(bytea[], bigint[]) to {schema}_worker;
