-- Tells sleeping dispatchers that something was written. A hint: they look at the table anyway, only later.
-- Once per statement, without a payload; PostgreSQL folds equal notifications of one transaction into one.
CREATE OR REPLACE FUNCTION outbox_wakeup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('outbox_wakeup', '');
    RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS outbox_wakeup ON {table};
CREATE TRIGGER outbox_wakeup AFTER INSERT ON {table} FOR EACH STATEMENT EXECUTE FUNCTION outbox_wakeup();
