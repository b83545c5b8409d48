-- The message layout, with the names, types and defaults that Prisma's migrations give it.
-- May run again: what exists stays as it is.
CREATE TABLE IF NOT EXISTS "message_outbox" (
    "id"            TEXT         NOT NULL,
    "tenantId"      TEXT         NOT NULL,
    "messageType"   TEXT         NOT NULL,
    "aggregateId"   TEXT         NOT NULL,
    "aggregateType" TEXT         NOT NULL,
    "eventVersion"  INTEGER      NOT NULL DEFAULT 1,
    "eventData"     JSONB        NOT NULL,
    "metadata"      JSONB        DEFAULT '{}',
    "status"        TEXT         NOT NULL DEFAULT 'pending',
    "scheduledAt"   TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "processedAt"   TIMESTAMP(3),
    "retryCount"    INTEGER      NOT NULL DEFAULT 0,
    "maxRetries"    INTEGER      NOT NULL DEFAULT 3,
    "nextRetryAt"   TIMESTAMP(3),
    "lastError"     TEXT,
    "createdAt"     TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"     TIMESTAMP(3) NOT NULL,
    CONSTRAINT "message_outbox_pkey" PRIMARY KEY ("id")
);

CREATE INDEX IF NOT EXISTS "message_outbox_status_scheduledAt_idx" ON "message_outbox" ("status", "scheduledAt");
CREATE INDEX IF NOT EXISTS "message_outbox_tenantId_aggregateType_aggregateId_idx"
    ON "message_outbox" ("tenantId", "aggregateType", "aggregateId");
CREATE INDEX IF NOT EXISTS "message_outbox_messageType_status_idx" ON "message_outbox" ("messageType", "status");
