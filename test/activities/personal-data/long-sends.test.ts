import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import { queueScheduled } from '../../../db/sending/scheduled.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { addressesNow, atEachStep, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';

const { database, sessionId } = await databaseOfThisFile();
const scope = { ...SCOPE, sessionId };
const happenings = happeningsOf(database, sessionId);

/** Their steps: accepted, due (a scheduled one), released, claimed, recorded; for one person after the other. */
const KINDS: Record<string, { afterMs?: number; names: 'chatId' | 'contactId' | 'conversationId' }> = {
  'a broadcast': { names: 'chatId' },
  'a broadcast to contacts': { names: 'contactId' },
  'a broadcast to conversations': { names: 'conversationId' },
  'a scheduled send': { names: 'chatId', afterMs: 60_000 },
};

interface Sent {
  chatId: string;
  messageId: string;
  /** The recipients at the network, each with their person at that time. */
  to: string[];
}

async function claimed(message: Sent): Promise<() => Promise<void>> {
  const token = randomUUID();
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: message.messageId });
  const claim = await database.transaction((tx) =>
    claimMessage(tx, message.messageId, { token, owner: '1', chosenNetworkId: null }),
  );
  if (claim.claim !== 'claimed') throw new Error(`The message was not claimed: ${JSON.stringify(claim)}.`);
  const own = await addressesNow(database, message.chatId);
  message.to.push(own.includes(claim.chatId) ? 'own' : 'another');
  return async () => {
    await database.transaction((tx) =>
      recordSent(tx, {
        messageId: message.messageId,
        conversationId: claim.conversationId,
        token,
        networkId: `N${message.messageId}`,
      }),
    );
  };
}

for (const [kind, { names, afterMs = null }] of Object.entries(KINDS))
  describe(kind, () => {
    for (const name of HAPPENINGS)
      it(`goes to each person once, and to nobody else, with ${name} between any two steps`, async () => {
        await atEachStep(howMany({ few: 6, all: 1_000 }), async (at) => {
          const { before, happens } = happenings[name] ?? never();
          const two = await twoWhoWrote(database, sessionId);
          if (before) await happenings['a merge']?.happens(two);
          const steps = new Steps(at, () => happens(two));
          const messages: Sent[] = [];
          const { phone, hidden, into, from, a, b } = two;
          for (const { chatId, contactId, conversationId } of [
            { chatId: phone, contactId: into, conversationId: a },
            { chatId: hidden, contactId: from, conversationId: b },
          ]) {
            await steps.next();
            const sendAt = afterMs === null ? {} : { sendAt: new Date(database.clock.now().getTime() + afterMs) };
            const accepted = await database.transaction((tx) =>
              acceptSend(tx, scope, {
                recipient: { chatId: { chatId }, contactId: { contactId }, conversationId: { conversationId } }[names],
                parts: [{ kind: 'text', body: `for ${chatId}` }],
                origin: 'api',
                bulk: true,
                expires: { afterMs: 86_400_000 },
                ...sendAt,
              }),
            );
            if (accepted.outcome !== 'accepted') throw new Error('The message was not accepted.');
            messages.push({ chatId, messageId: accepted.messageId, to: [] });
          }
          if (afterMs !== null) {
            await steps.next();
            database.clock.advance(afterMs + 1_000);
            await database.transaction((tx) => queueScheduled(tx));
          }
          for (const message of messages) {
            await steps.next();
            const records = await claimed(message);
            await steps.next();
            await records();
          }
          const ids = messages.map(({ messageId }) => messageId);
          const rows = await findRows(database, 'message', { id: ids }, ['status']);
          expect([at, messages.map(({ to }) => to), rows]).toEqual([
            at,
            [['own'], ['own']],
            [{ status: 'sent' }, { status: 'sent' }],
          ]);
          return steps;
        });
      });
  });
