-- The event layout, with the names, types and defaults that Prisma's migrations give it.
-- May run again: what exists stays as it is.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_type WHERE typname = 'OutboxStatus' AND typnamespace = current_schema()::regnamespace) THEN
        CREATE TYPE "OutboxStatus" AS ENUM ('PENDING', 'PROCESSING', 'DONE', 'FAILED', 'CANCELLED');
    END IF;
END
$$;

CREATE TABLE IF NOT EXISTS "OutboxEvent" (
    "id"          TEXT           NOT NULL,
    "tenantId"    TEXT           NOT NULL,
    "eventType"   TEXT           NOT NULL,
    "payload"     JSONB          NOT NULL,
    "dispatchKey" TEXT,
    "status"      "OutboxStatus" NOT NULL DEFAULT 'PENDING',
    "retries"     INTEGER        NOT NULL DEFAULT 0,
    "scheduledAt" TIMESTAMP(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lockedUntil" TIMESTAMP(3),
    "processedAt" TIMESTAMP(3),
    "lastError"   TEXT,
    "createdAt"   TIMESTAMP(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"   TIMESTAMP(3)   NOT NULL,
    CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX IF NOT EXISTS "OutboxEvent_dispatchKey_key" ON "OutboxEvent" ("dispatchKey");
CREATE INDEX IF NOT EXISTS "OutboxEvent_status_scheduledAt_idx" ON "OutboxEvent" ("status", "scheduledAt");
