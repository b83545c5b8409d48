-- Workflows and their executions.
CREATE TABLE IF NOT EXISTS "Workflow" (
    "id"           TEXT NOT NULL,
    "tenantId"     TEXT NOT NULL,
    "name"         TEXT NOT NULL,
    "status"       TEXT NOT NULL DEFAULT 'DRAFT',
    "triggerEvent" TEXT,
    "definition"   JSONB NOT NULL DEFAULT '{}',
    "createdAt"    TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"    TIMESTAMP(3) NOT NULL,
    CONSTRAINT "Workflow_pkey" PRIMARY KEY ("id")
);

DO $$ BEGIN
    CREATE TYPE "WorkflowExecutionStatus" AS ENUM ('QUEUED', 'RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED');
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

CREATE TABLE IF NOT EXISTS "WorkflowExecution" (
    "id"            TEXT NOT NULL,
    "tenantId"      TEXT NOT NULL,
    "workflowId"    TEXT NOT NULL REFERENCES "Workflow" ("id"),
    "status"        "WorkflowExecutionStatus" NOT NULL DEFAULT 'QUEUED',
    "trigger"       TEXT NOT NULL,
    "waitingFor"    TEXT,
    "steps"         JSONB NOT NULL DEFAULT '[]',
    "error"         TEXT,
    "outboxEventId" TEXT,
    "queuedAt"      TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt"     TIMESTAMP(3),
    "finishedAt"    TIMESTAMP(3),
    "createdAt"     TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt"     TIMESTAMP(3) NOT NULL,
    CONSTRAINT "WorkflowExecution_pkey" PRIMARY KEY ("id")
);

CREATE INDEX IF NOT EXISTS "WorkflowExecution_status_queuedAt_idx" ON "WorkflowExecution" ("status", "queuedAt");
CREATE INDEX IF NOT EXISTS "WorkflowExecution_workflowId_idx" ON "WorkflowExecution" ("workflowId");
