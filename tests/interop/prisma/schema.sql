-- SPDX-FileCopyrightText: 2026 The Outbox Console developers
-- SPDX-License-Identifier: GPL-3.0-or-later

-- What Prisma's migrations create for prisma/schema.prisma (names, types and defaults).
CREATE TYPE "OutboxStatus" AS ENUM ('PENDING', 'PROCESSING', 'DONE', 'FAILED', 'CANCELLED');
CREATE TABLE "OutboxEvent" (
  "id" TEXT NOT NULL, "tenantId" TEXT NOT NULL, "eventType" TEXT NOT NULL, "payload" JSONB NOT NULL, "dispatchKey" TEXT,
  "status" "OutboxStatus" NOT NULL DEFAULT 'PENDING', "retries" INTEGER NOT NULL DEFAULT 0,
  "scheduledAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "lockedUntil" TIMESTAMP(3), "processedAt" TIMESTAMP(3), "lastError" TEXT,
  "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" TIMESTAMP(3) NOT NULL,
  CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id"));
CREATE UNIQUE INDEX "OutboxEvent_dispatchKey_key" ON "OutboxEvent"("dispatchKey");
CREATE INDEX "OutboxEvent_status_scheduledAt_idx" ON "OutboxEvent"("status", "scheduledAt");
CREATE TABLE "message_outbox" (
  "id" TEXT NOT NULL, "tenantId" TEXT NOT NULL, "messageType" TEXT NOT NULL, "aggregateId" TEXT NOT NULL, "aggregateType" TEXT NOT NULL,
  "eventVersion" INTEGER NOT NULL DEFAULT 1, "eventData" JSONB NOT NULL, "metadata" JSONB DEFAULT '{}', "status" TEXT NOT NULL DEFAULT 'pending',
  "scheduledAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "processedAt" TIMESTAMP(3), "retryCount" INTEGER NOT NULL DEFAULT 0, "maxRetries" INTEGER NOT NULL DEFAULT 3,
  "nextRetryAt" TIMESTAMP(3), "lastError" TEXT, "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updatedAt" TIMESTAMP(3) NOT NULL,
  CONSTRAINT "message_outbox_pkey" PRIMARY KEY ("id"));
CREATE INDEX "message_outbox_status_scheduledAt_idx" ON "message_outbox"("status", "scheduledAt");
CREATE INDEX "message_outbox_tenantId_aggregateType_aggregateId_idx" ON "message_outbox"("tenantId", "aggregateType", "aggregateId");
CREATE INDEX "message_outbox_messageType_status_idx" ON "message_outbox"("messageType", "status");
CREATE TYPE "message_status" AS ENUM ('pending', 'processing', 'sent', 'failed', 'dead_letter');
CREATE TABLE "mapped_outbox" (
  "id" UUID NOT NULL, "tenant_id" TEXT NOT NULL, "message_type" TEXT NOT NULL, "aggregate_id" TEXT NOT NULL, "aggregate_type" TEXT NOT NULL,
  "event_version" INTEGER NOT NULL DEFAULT 1, "event_data" JSONB NOT NULL, "metadata" JSONB DEFAULT '{}', "status" "message_status" NOT NULL DEFAULT 'pending',
  "scheduled_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "processed_at" TIMESTAMP(3), "retry_count" INTEGER NOT NULL DEFAULT 0, "max_retries" INTEGER NOT NULL DEFAULT 3,
  "next_retry_at" TIMESTAMP(3), "last_error" TEXT, "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updated_at" TIMESTAMP(3) NOT NULL,
  CONSTRAINT "mapped_outbox_pkey" PRIMARY KEY ("id"));
CREATE INDEX "mapped_outbox_status_scheduled_at_idx" ON "mapped_outbox"("status", "scheduled_at");
CREATE TABLE "outbox_event" (
  "id" TEXT NOT NULL, "tenant_id" TEXT NOT NULL, "event_type" TEXT NOT NULL, "payload" JSONB NOT NULL, "dispatch_key" TEXT,
  "status" "OutboxStatus" NOT NULL DEFAULT 'PENDING', "retries" INTEGER NOT NULL DEFAULT 0,
  "scheduled_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "locked_until" TIMESTAMP(3), "processed_at" TIMESTAMP(3), "last_error" TEXT,
  "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, "updated_at" TIMESTAMP(3) NOT NULL,
  CONSTRAINT "outbox_event_pkey" PRIMARY KEY ("id"));
CREATE UNIQUE INDEX "outbox_event_dispatch_key_key" ON "outbox_event"("dispatch_key");
CREATE INDEX "outbox_event_status_scheduled_at_idx" ON "outbox_event"("status", "scheduled_at");
