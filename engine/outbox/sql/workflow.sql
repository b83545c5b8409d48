-- Workflow definitions and their executions. May run again: what exists stays as it is.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_type WHERE typname = 'WorkflowStatus' AND typnamespace = current_schema()::regnamespace) THEN
        CREATE TYPE "WorkflowStatus" AS ENUM ('DRAFT', 'LIVE', 'PAUSED', 'ARCHIVED');
    END IF;
    IF NOT EXISTS (SELECT FROM pg_type WHERE typname = 'WorkflowExecutionStatus' AND typnamespace = current_schema()::regnamespace) THEN
        CREATE TYPE "WorkflowExecutionStatus" AS ENUM ('QUEUED', 'RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED');
    END IF;
END
$$;

CREATE TABLE IF NOT EXISTS "Workflow" (
    "id"           TEXT             NOT NULL,
    "tenantId"     TEXT             NOT NULL,
    "name"         TEXT             NOT NULL,
    "status"       "WorkflowStatus" NOT NULL DEFAULT 'DRAFT',
    "triggerEvent" TEXT, -- the event that starts it; null: started by hand
    "definition"   JSONB            NOT NULL,
    "createdAt"    TIMESTAMP(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"    TIMESTAMP(3)     NOT NULL,
    CONSTRAINT "Workflow_pkey" PRIMARY KEY ("id")
);

CREATE INDEX IF NOT EXISTS "Workflow_tenantId_status_triggerEvent_idx"
    ON "Workflow" ("tenantId", "status", "triggerEvent");

CREATE TABLE IF NOT EXISTS "WorkflowExecution" (
    "id"            TEXT                      NOT NULL,
    "tenantId"      TEXT                      NOT NULL,
    "workflowId"    TEXT                      NOT NULL,
    "status"        "WorkflowExecutionStatus" NOT NULL DEFAULT 'QUEUED',
    "trigger"       TEXT                      NOT NULL, -- event, manual or stream
    "waitingFor"    TEXT, -- the input that a WAITING execution needs
    "steps"         JSONB                     NOT NULL DEFAULT '[]',
    "error"         TEXT,
    "outboxEventId" TEXT, -- the event that asked for it; null: a stream run, or the event is gone
    "queuedAt"      TIMESTAMP(3)              NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt"     TIMESTAMP(3),
    "finishedAt"    TIMESTAMP(3),
    "createdAt"     TIMESTAMP(3)              NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"     TIMESTAMP(3)              NOT NULL,
    CONSTRAINT "WorkflowExecution_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "WorkflowExecution_workflowId_fkey" FOREIGN KEY ("workflowId")
        REFERENCES "Workflow" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX IF NOT EXISTS "WorkflowExecution_status_queuedAt_idx" ON "WorkflowExecution" ("status", "queuedAt");
CREATE INDEX IF NOT EXISTS "WorkflowExecution_workflowId_createdAt_idx" ON "WorkflowExecution" ("workflowId", "createdAt");
CREATE INDEX IF NOT EXISTS "WorkflowExecution_outboxEventId_idx" ON "WorkflowExecution" ("outboxEventId");
