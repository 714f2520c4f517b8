import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../db/engine/database.ts';
import { addMessages, addRows, changeRows, databaseNow, pagesRead } from '../../support/rows.ts';
import { aPacedSession } from './a-paced-session.ts';
import { aDatabase, SCOPE } from '../a-database.ts';

const SIXTY = { pace: { perMinute: 60, burst: 3, firstContactsPerDay: 0 } };

describe('the pace of a session', () => {
  let database: Database;

  beforeEach(async () => {
    // With one connection, what a count finds in the books is what was touched before it.
    database = await aDatabase({ poolSize: 1 });
  });
  afterEach(() => database.close());

  it('costs as much with 5,000 messages waiting as with a few, in one conversation or in many', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 600, burst: 1, firstContactsPerDay: 1 } });
    const { conversationId } = await session.send(0, 'first');
    const queued = { direction: 'out', origin: 'api', status: 'queued' };
    await addMessages(database, conversationId, 5_000, (n) => ({
      ...queued,
      id: `one${n}`,
      contactId: null,
      chatSeq: n + 1,
    }));
    const of = { ...SCOPE, sessionId: session.sessionId };
    await addRows(database, 'conversation', 5_000, (n) => ({
      ...of,
      id: `c${n}`,
      chatId: `${n}@c.us`,
      contacted: true,
    }));
    await addRows(database, 'message', 5_000, (n) => ({
      ...of,
      ...queued,
      id: `c${n}`,
      conversationId: `c${n}`,
      kind: 'text',
      occurredAt: databaseNow,
      chatSeq: 1,
      readyAt: session.now,
    }));
    const buffers = [];
    for (let round = 0; round < 5; round += 1) {
      buffers.push(await buffersOf(() => session.release()));
      await session.sendAll();
      session.pass(1);
    }
    expect((await session.released()).length).toBeGreaterThanOrEqual(5);
    expect(Math.max(...buffers.slice(1))).toBeLessThan(500);
  });

  it('lets single sends overtake bulk, and tells each when it is likely to go', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    for (const to of [1, 2, 3]) await session.send(to, `bulk ${to}`, { bulk: true });
    const { plan } = await session.send(4, 'single');
    expect(plan).toEqual({ sendAt: session.now.toISOString(), rule: 'now' });
    await session.release();
    expect(await session.released()).toEqual(['single']);
    const last = await session.send(5, 'bulk 5', { bulk: true });
    expect(last.plan.rule).toBe('pace');
    const inSeconds = (new Date(last.plan.sendAt ?? 0).getTime() - session.now.getTime()) / 1_000;
    expect(inSeconds).toBeGreaterThanOrEqual(3.7);
    expect(inSeconds).toBeLessThanOrEqual(4.3);
    session.pass(10);
    expect((await session.send(4, 'behind it')).plan.rule).toBe('queue');
  });

  it('tells why a message waits', async () => {
    const session = await aPacedSession(database, {
      pace: { ...SIXTY.pace, burst: 100 },
      timeZone: 'Europe/Berlin',
      quietHours: { from: '21:00', to: '08:00' },
    });
    session.set('2026-11-21T20:30:00Z');
    const night = await session.send(1, 'at night');
    expect(night.plan).toEqual({ sendAt: '2026-11-22T07:00:00.000Z', rule: 'quiet_hours' });
    expect(await session.release()).toEqual({ released: 0, nextAt: new Date('2026-11-22T07:00:00Z') });
    const reply = await session.send(2, 'a reply', { origin: 'person' });
    expect(reply.plan.rule).toBe('now');
    await session.change({ quietHours: null });
    expect(await session.plan(night.messageId)).toMatchObject({ rule: 'now' });
    await changeRows(database, 'session', { status: 'FAILED' });
    expect(await session.plan(night.messageId)).toMatchObject({ rule: 'session_not_working' });
    await changeRows(database, 'agency', { status: 'suspended' });
    expect(await session.plan(night.messageId)).toMatchObject({ rule: 'suspended' });
    expect(await session.release()).toEqual({ released: 0, nextAt: null });
  });

  /** Buffers of all tables and indexes that the database touched meanwhile. */
  async function buffersOf(work: () => Promise<unknown>): Promise<number> {
    const total = () => pagesRead(database, 'message', 'conversation');
    const before = await total();
    await work();
    return (await total()) - before;
  }
});
