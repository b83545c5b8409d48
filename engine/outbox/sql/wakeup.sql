-- Wakes dispatchers that LISTEN on outbox_wakeup as soon as a transaction with new rows in {table} commits.
-- Optional: without it they find the rows at their next look. May run again: what exists is replaced by the same.
--
-- A NOTIFY makes committing transactions wait for each other, so the trigger sends one only while a dispatcher has
-- asked for it: outbox_wakeup_until holds the second (since 1970 UTC) until which one sleeps. Dispatchers move it ahead
-- while they have little to do and back to 0 while they are busy anyway. It is a sequence because that is the one
-- thing in PostgreSQL that changes for everybody at once, without locks and without leaving dead rows.
--
-- The trigger cannot get in the way of the insert: whatever goes wrong in it is swallowed, it waits for nothing, it
-- sends no payload, and it stops notifying long before the server's notification queue is full. Names are written out in
-- full and the sequence is asked without a query: a function with a search path of its own takes twice as long.
CREATE SEQUENCE IF NOT EXISTS outbox_wakeup_until MINVALUE 0 START 0;
GRANT SELECT ON SEQUENCE outbox_wakeup_until TO PUBLIC;

CREATE OR REPLACE FUNCTION outbox_wakeup() RETURNS trigger
    LANGUAGE plpgsql
AS $function$
DECLARE
    wakeup_until regclass;
BEGIN
    wakeup_until := pg_catalog.to_regclass(pg_catalog.quote_ident(TG_TABLE_SCHEMA) || '.outbox_wakeup_until');
    IF pg_catalog.pg_sequence_last_value(wakeup_until) > extract(epoch FROM pg_catalog.clock_timestamp())
        AND pg_catalog.pg_notification_queue_usage() < 0.5
    THEN
        PERFORM pg_catalog.pg_notify('outbox_wakeup', '');
    END IF;
    RETURN NULL;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END
$function$;

DO $do$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_trigger
                   WHERE tgrelid = $name${table}$name$::regclass AND tgname = 'outbox_wakeup') THEN
        -- Once per statement, not per row: a batch of thousands costs one call.
        CREATE TRIGGER outbox_wakeup AFTER INSERT ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION outbox_wakeup();
    END IF;
END
$do$;
