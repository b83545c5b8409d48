-- Wakes dispatchers that LISTEN on outbox_wakeup as soon as a transaction with new rows in {table} commits.
-- Optional: without it they find the rows at their next poll. May run again: what exists stays as it is.
--
-- It cannot get in the way of the insert. pg_notify with a constant, empty payload has nothing to refuse, so no
-- EXCEPTION block is needed, which would cost a subtransaction per statement. All calls in one transaction become one
-- notification. The one known failure is at COMMIT, when the server's notification queue (8 GB by default) is full
-- because some session listens and has sat in one transaction for very long; the server warns from half full on.
-- Notifying commits one after the other: with many writers per second, measure before installing it.
CREATE OR REPLACE FUNCTION outbox_wakeup() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_catalog.pg_notify('outbox_wakeup', '');
    RETURN NULL;
END
$$;

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
