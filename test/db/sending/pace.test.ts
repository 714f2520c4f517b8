import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import { claimMessage, returnClaim } from '../../../db/sending/claim.ts';
import type { Database } from '../../../db/engine/database.ts';
import { recordPresence, writePaceDefaults } from '../../../db/sending/pace.ts';
import { resumeQueues } from '../../../db/sending/promote.ts';
import { changeRows, countRows, findRows, not } from '../../support/rows.ts';
import { aPacedSession } from './a-paced-session.ts';
import { aDatabase } from '../a-database.ts';
import { stepped } from './stepped.ts';

const SIXTY = { pace: { perMinute: 60, burst: 3, firstContactsPerDay: 0 } };

describe('the pace of a session', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.close());

  it('lets a burst go at once and then one after the other, with a spacing that varies by less than a third', async () => {
    const session = await aPacedSession(database, SIXTY);
    for (let to = 1; to <= 10; to += 1) await session.send(to, `m${to}`);
    const first = await session.release();
    expect(first.released).toBe(3);
    const waitMs = (first.nextAt?.getTime() ?? 0) - session.now.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(700);
    expect(waitMs).toBeLessThanOrEqual(1_300);
    expect(await session.release()).toMatchObject({ released: 0 });
    expect(await session.heads()).toMatchObject([{ body: 'm4', heldBy: 'pace' }]);
    for (let second = 1; second <= 4; second += 1) {
      session.pass(1.3);
      expect((await session.release()).released).toBeGreaterThanOrEqual(1);
    }
    expect(await session.released()).toEqual(expect.arrayContaining(['m1', 'm7']));
    expect((await session.released()).length).toBeLessThanOrEqual(3 + 4 * 2);
  });

  it('is that of the engine where the tenant has none, and 0 is none', async () => {
    const session = await aPacedSession(database, {});
    await session.send(1, 'unpaced');
    expect(await session.released()).toEqual(['unpaced']);
    await database.statement((tx) => writePaceDefaults(tx, { perMinute: 60, burst: 1, firstContactsPerDay: 0 }));
    await session.send(2, 'a');
    await session.send(3, 'b');
    expect((await session.release()).released).toBe(1);
    await session.change({ pace: { perMinute: 0 } });
    expect((await session.release()).released).toBe(1);
  });

  it('hands a backend that hangs no more than a few, and does not wait for those that are being looked into', async () => {
    const session = await aPacedSession(database, {
      pace: { perMinute: 0 },
      quietHours: { from: '01:00', to: '02:00' },
    });
    for (let to = 1; to <= 20; to += 1) await session.send(to, `m${to}`);
    expect((await session.release()).released).toBe(16);
    await changeRows(
      database,
      'message',
      { status: 'sending', claimedAt: session.now, attempts: 1 },
      { status: 'queued', releasedAt: not(null) },
    );
    expect((await session.release()).released).toBe(0);
    const [first] = await findRows(database, 'message', {}, ['id'], 'id');
    await changeRows(database, 'message', { lostAt: session.now }, { id: first?.id });
    expect((await session.release()).released).toBe(1);
    session.pass(61);
    expect((await session.release()).released).toBe(3);
  });

  it('does not hold a session for sends that are refused again and again, and gives those their turn later', async () => {
    const session = await aPacedSession(database, {});
    for (let to = 1; to <= 17; to += 1) await session.send(to, `m${to}`);
    const first = await findRows(database, 'message', { releasedAt: not(null) }, ['id', 'conversationId'], 'id');
    expect(first).toHaveLength(16);
    for (let refusal = 1; refusal <= 3; refusal += 1) {
      for (const { id: messageId, conversationId } of first) {
        const token = randomUUID();
        await session.at((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
        const message = { messageId, conversationId, sessionId: session.sessionId };
        await session.at((tx) => returnClaim(tx, message, token, 'certainly_not_sent'));
      }
    }
    expect(await session.release()).toMatchObject({ released: 1 });
    expect(await session.released()).toEqual(['m17']);
    session.pass(60);
    expect((await session.release()).released).toBe(15);
  });

  it('is changed, and a session released, while somebody has one of the messages that wait', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    for (const to of [1, 2, 3]) await session.send(to, `m${to}`);
    await session.release();
    expect(await session.heads()).toMatchObject([{ body: 'm2', heldBy: 'pace' }]);
    const other = stepped(database, (tx) => changeRows(tx, 'message', { updatedAt: tx.now }, { body: 'm2' }));
    await other.step();
    await other.step();
    session.pass(0.1);
    await session.release();
    await session.change({ pace: { perMinute: 30 } });
    await other.step();
    await other.result;
    session.pass(3);
    expect((await session.release()).released).toBe(1);
  });

  it('does not hold back replies to somebody who wrote within a day, and counts them', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    for (const to of [1, 2, 3]) await session.send(to, `bulk ${to}`);
    await session.release();
    await session.send(2, 'reply', { origin: 'person' });
    await session.wrote(2, 3_600);
    await session.send(3, 'late reply', { origin: 'person' });
    await session.wrote(3, 25 * 3_600);
    session.pass(0.1);
    expect((await session.release()).released).toBe(1);
    expect(await session.released()).toEqual(['bulk 1', 'reply']);
    session.pass(1.2);
    expect((await session.release()).released).toBe(0);
    session.pass(1.4);
    await session.release();
    expect(await session.released()).toEqual(['bulk 1', 'reply', 'late reply']);
  });

  it('keeps one message of a conversation on its way, in order, and the held lane yields to the other', async () => {
    const session = await aPacedSession(database, {
      pace: { ...SIXTY.pace, burst: 100 },
      quietHours: { from: '11:00', to: '13:00' },
    });
    await session.send(1, 'bulk 1');
    await session.send(1, 'bulk 2');
    expect(await session.release()).toEqual({ released: 0, nextAt: new Date('2026-11-21T13:00:00Z') });
    for (const text of ['reply 1', 'reply 2']) {
      await session.send(1, text, { origin: 'person' });
    }
    await session.release();
    expect(await session.released()).toEqual(['reply 1']);
    await session.sendAll();
    session.pass(1);
    await session.release();
    expect(await session.released()).toEqual(['reply 1', 'reply 2']);
    await session.sendAll();
    session.set('2026-11-21T13:00:00Z');
    await session.release();
    await session.release();
    expect(await session.released()).toEqual(['reply 1', 'reply 2', 'bulk 1']);
  });

  it('never lets two releasers exceed the rate or send two messages of a conversation at once', async () => {
    const session = await aPacedSession(database, SIXTY);
    for (let n = 0; n < 12; n += 1) await session.send(n % 6, `m${n}`);
    for (let second = 0; second < 3; second += 1) {
      await Promise.all(Array.from({ length: 6 }, () => session.release()));
      session.pass(0.7);
    }
    expect(await countRows(database, 'message', { releasedAt: not(null) })).toBeLessThanOrEqual(6);
    const heads = await findRows(database, 'message', { releasedAt: not(null) }, ['conversationId']);
    expect(new Set(heads.map(({ conversationId }) => conversationId)).size).toBe(heads.length);
    expect(await countRows(database, 'dispatch', { workflowType: 'deliverMessage' })).toBe(
      await countRows(database, 'message', { releasedAt: not(null) }),
    );
  });

  it('holds everything while the session is away, and rises again after an outage', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 600, burst: 10, firstContactsPerDay: 0 } });
    const presence = (isWorking: boolean) =>
      session.at(async (tx) => {
        await recordPresence(tx, session.sessionId, isWorking);
        await changeRows(tx, 'session', { status: isWorking ? 'WORKING' : 'FAILED' });
      });
    await presence(true);
    await presence(false);
    for (let to = 1; to <= 20; to += 1) await session.send(to, `m${to}`);
    expect(await session.release()).toEqual({ released: 0, nextAt: null });
    session.pass(600);
    await presence(true);
    expect((await session.release()).released).toBe(2);
    session.pass(300);
    expect((await session.release()).released).toBe(10);
  });

  it('gives back the slot of a message that was certainly not sent, and lets it go again after a pause', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    const { messageId, conversationId } = await session.send(1, 'first');
    await session.send(1, 'second');
    await session.send(2, 'other');
    await session.release();
    const token = '00000000-0000-4000-8000-000000000001';
    const first = { token, owner: '1', chosenNetworkId: null, takenForMs: 1_500 };
    const claim = await session.at((tx) => claimMessage(tx, messageId, first));
    expect(claim.claim).toBe('claimed');
    const taken = () => findRows(database, 'message', { id: messageId }, ['takenAt', 'claimedAt']);
    const at = new Date(session.now.getTime() - 1_500);
    expect((await taken()).map(({ takenAt }) => new Date(takenAt ?? 0))).toEqual([at]);
    const message = { messageId, conversationId, sessionId: session.sessionId };
    await session.at((tx) => returnClaim(tx, message, token, 'session_not_ready'));
    expect(await taken()).toEqual([{ takenAt: null, claimedAt: null }]);
    expect(
      await session.at((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null })),
    ).toMatchObject({
      claim: 'not_now',
    });
    session.pass(0.5);
    await session.release();
    expect(await session.released()).toEqual(['other']);
    session.pass(2);
    await session.release();
    expect(await session.released()).toEqual(['other', 'first']);
    const promises = await findRows(database, 'dispatch', {}, ['action', 'signal'], { newestFirst: 'id' });
    expect(promises[0]).toEqual({ action: 'signal_with_start', signal: 'released' });
  });

  it('is not lost with a wake-up: the reconcile makes heads ready that nobody did, and leaves the others alone', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    // The reconcile goes by the machine's clock, which is ahead of the session's by more each day.
    const expires = { afterMs: 3_650 * 86_400_000 };
    await session.send(1, 'a', { expires });
    await session.send(2, 'b', { expires });
    await session.release();
    await changeRows(database, 'message', { readyAt: null }, { body: 'b' });
    const { reconcileRows } = createReconcileActivities({ database });
    expect((await reconcileRows({ all: false })).conversations).toBe(1);
    expect(await countRows(database, 'message', { readyAt: not(null) })).toBe(2);
    expect((await reconcileRows({ all: false })).conversations).toBe(0);
    await session.at((tx) => resumeQueues(tx, session.sessionId));
    expect(await session.released()).toEqual(['a']);
  });
});
