import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../db/engine/database.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { applyAcks, endMessage } from '../../../db/sending/outcome.ts';
import { releaseHeads } from '../../../db/sending/pace.ts';
import { resumeQueues } from '../../../db/sending/promote.ts';
import { lockConversation } from '../../../db/conversations/conversation.ts';
import { atMost, changeRows, databaseNow, findRows, lockRows } from '../../support/rows.ts';
import { aDatabase } from '../a-database.ts';
import { aPacedSession } from './a-paced-session.ts';
import type { PacedSession } from './a-paced-session.ts';
import { inEveryOrder } from '../interleave.ts';
import { stepped } from './stepped.ts';

describe('the releaser and who holds what it wants', () => {
  let database: Database;
  let session: PacedSession;

  beforeEach(async () => {
    database = await aDatabase();
    session = await aPacedSession(database, { pace: { perMinute: 1, burst: 1, firstContactsPerDay: 0 } });
  });
  afterEach(() => database.close());

  /** Locks taken by somebody who stops before the commit. */
  async function held(work: (tx: Tx) => Promise<unknown>): Promise<{ leave: () => Promise<void> }> {
    const other = stepped(database, work);
    await other.step();
    await other.step();
    return {
      async leave() {
        while (!other.over) await other.step();
        await other.result;
      },
    };
  }

  /** True when it has ended without waiting for anybody. */
  async function releasesAtOnce(): Promise<boolean> {
    const release = stepped(database, (tx) => releaseHeads({ ...tx, now: session.now }, session.sessionId));
    while (!release.over && !release.blocked) await release.step();
    return release.over;
  }

  it.each([
    ['the conversation', (tx: Tx) => lockRows(tx, 'conversation')],
    ['the message', (tx: Tx) => lockRows(tx, 'message')],
    ['the pace of the session', (tx: Tx) => changeRows(tx, 'sessionPace', { restriction: null })],
  ])('waits for nobody who holds %s', async (_what, lock) => {
    await session.send(1, 'goes');
    await session.release();
    await session.send(2, 'next');
    const other = await held(lock);
    const atOnce = await releasesAtOnce();
    await other.leave();
    expect(atOnce).toBe(true);
    session.pass(100);
    await session.release();
    expect(await session.released()).toEqual(['goes', 'next']);
  });

  it('is not in the way of the network, which refuses a send of the session', async () => {
    const refused = (networkId: string) => (tx: Tx) =>
      applyAcks(tx, [
        { sessionId: session.sessionId, networkId, level: -1, error: { code: '463', reason: 'restricted' } },
      ]);
    let round = 0;
    await inEveryOrder(2, async () => {
      round += 1;
      const networkId = `N${round}`;
      const { messages } = await session.send(round, 'text', {
        parts: [
          { kind: 'text', body: 'text' },
          { kind: 'image', body: 'picture' },
        ],
      });
      // The text has gone, and the picture is the next.
      await changeRows(
        database,
        'message',
        { status: 'sent', ack: 0, networkId, sentAt: databaseNow, endedAt: databaseNow, readyAt: null },
        { id: messages[0]?.messageId ?? '' },
      );
      await changeRows(database, 'message', { readyAt: session.now }, { id: messages[1]?.messageId ?? '' });
      await changeRows(database, 'sessionPace', { nextSlotAt: new Date(session.now.getTime() + 40_000) });
      const transactions = [
        stepped<unknown>(database, refused(networkId)),
        stepped<unknown>(database, (tx) => releaseHeads({ ...tx, now: session.now }, session.sessionId)),
      ];
      return {
        transactions,
        async check(order) {
          await Promise.all(transactions.map(({ result }) => result));
          const tries = transactions.map(({ tries }) => tries);
          expect({ order, tries }).toEqual({ order, tries: [1, 1] });
          await changeRows(database, 'sessionPace', { restrictedUntil: null });
        },
      };
    });
  });

  it('is not in a circle of waiting when the session comes back and a message that was let go is cancelled', async () => {
    await session.change({ pace: { perMinute: 6_000, burst: 1_000, firstContactsPerDay: 0 } });
    let round = 0;
    await inEveryOrder(2, async () => {
      round += 1;
      const { messageId, conversationId } = await session.send(2 * round, 'gone');
      await session.release();
      session.pass(60);
      await session.send(2 * round + 1, 'waits');
      await changeRows(database, 'sessionPace', { releaseAt: null });
      const at = (tx: Tx): Tx => ({ ...tx, now: session.now });
      const transactions = [
        stepped<unknown>(database, (tx) => resumeQueues(at(tx), session.sessionId)),
        stepped<unknown>(database, async (tx) => {
          await lockConversation(tx, conversationId);
          await endMessage(at(tx), messageId, { status: 'cancelled', reason: 'cancelled_by_request', detail: null });
        }),
      ];
      return {
        transactions,
        async check(order) {
          await Promise.all(transactions.map(({ result }) => result));
          const tries = transactions.map((each) => each.tries);
          expect({ order, tries }).toEqual({ order, tries: [1, 1] });
          const due = await findRows(database, 'sessionPace', { releaseAt: atMost(session.now) });
          expect(due).toHaveLength(1);
          await changeRows(database, 'message', { status: 'failed' }, { status: 'queued' });
        },
      };
    });
  });
});
