// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// A real Prisma client writes outbox rows inside transactions, as an application would; every tenth one is rolled back.
//   DATABASE_URL=... tsx produce.mts COUNT outboxEvent|messageOutbox|mappedEvent|mappedMessage
// Prints {"committed":N,"rolledBack":N,"from":ms,"to":ms}: the clock around it, in milliseconds since 1970.
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

const [count, model] = process.argv.slice(2);
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });
const from = Date.now();
let committed = 0;
let rolledBack = 0;
for (let i = 0; i < Number(count); i++) {
    const tenantId = `t${i % 7}`;
    const payload = { n: i, text: 'żółć 漢字 🎉', nested: { list: [1, 2.5, null, true], decimal: 0.2345678901234568 } };
    try {
        await prisma.$transaction(async tx => {
            if (model.endsWith('Event'))
                await tx[model].create({
                    data: { tenantId, eventType: 'mail.welcome.sent', payload, dispatchKey: `order:${i}` },
                });
            else
                await tx[model].create({
                    data: {
                        tenantId,
                        messageType: 'webhook.booking.confirmed',
                        aggregateId: `b${i}`,
                        aggregateType: 'booking',
                        eventData: payload,
                        metadata: { correlationId: `c${i}` },
                    },
                });
            if (i % 10 === 9) throw new Error('business rule');
        });
        committed++;
    } catch (error) {
        if (error.message !== 'business rule') throw error;
        rolledBack++;
    }
}
console.log(JSON.stringify({ committed, rolledBack, from, to: Date.now() }));
await prisma.$disconnect();
