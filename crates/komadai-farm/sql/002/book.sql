
-- The number of the book for which the queue works; null before the first coordinator.
alter table meta add column book bigint;

-- Notes the book for which the queue works, unless it is another one's.
create function serve_book(number bigint) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    served bigint;
begin
    update meta set book = coalesce(book, number) returning book into served;
    if served <> number then
        raise exception 'this queue works for the book %, not for the book %', to_hex(served), to_hex(number)
            using errcode = 'KM006', hint = 'a queue of another schema is for another book';
    end if;
end
$$;
revoke all on function serve_book(bigint) from public;
grant execute on function serve_book(bigint) to {schema}_coordinator;
