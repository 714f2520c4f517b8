import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import { claimMessage, returnClaim } from '../../../db/sending/claim.ts';
import type { Database } from '../../../db/database.ts';
import { listReadySessions, recordPresence, writePaceDefaults } from '../../../db/sending/pace.ts';
import { releaseSession } from '../../../db/sending/promote.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { aPacedSession } from './a-paced-session.ts';
import { aDatabase } from '../a-database.ts';
import { stepped } from './stepped.ts';

const SIXTY = { pace: { perMinute: 60, burst: 3, firstContactsPerDay: 0 } };

describe('the pace of a session', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  }, 60_000);
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
    const claimed = sql`status = 'queued' and released_at is not null`;
    await rowsOf(
      database,
      sql<object>`update message set status = 'sending', claimed_at = ${session.now}, attempts = 1 where ${claimed}`,
    );
    expect((await session.release()).released).toBe(0);
    await rowsOf(
      database,
      sql<object>`update message set lost_at = ${session.now} where id = (select min(id) from message)`,
    );
    expect((await session.release()).released).toBe(1);
    session.pass(61);
    expect((await session.release()).released).toBe(3);
  });

  it('does not hold a session for sends that are refused again and again, and gives those their turn later', async () => {
    const session = await aPacedSession(database, {});
    for (let to = 1; to <= 17; to += 1) await session.send(to, `m${to}`);
    const first = await rowsOf(
      database,
      sql<{ id: string; conversationId: string }>`
        select id, conversation_id as "conversationId" from message where released_at is not null order by id`,
    );
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
    const other = stepped(database, (tx) =>
      sql`update message set updated_at = ${tx.now} where body = 'm2'`.execute(tx.sql),
    );
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
    expect(await countOf(database, sql`message where released_at is not null`)).toBeLessThanOrEqual(6);
    expect(
      await rowsOf(
        database,
        sql<object>`select 1 from message where released_at is not null group by conversation_id having count(*) > 1`,
      ),
    ).toEqual([]);
    expect(await countOf(database, sql`dispatch where workflow_type = 'deliverMessage'`)).toBe(
      await countOf(database, sql`message where released_at is not null`),
    );
  });

  it('holds everything while the session is away, and rises again after an outage', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 600, burst: 10, firstContactsPerDay: 0 } });
    const presence = (isWorking: boolean) =>
      session.at(async (tx) => {
        await recordPresence(tx, session.sessionId, isWorking);
        await sql`update session set status = ${isWorking ? 'WORKING' : 'FAILED'}`.execute(tx.sql);
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
    const claim = await session.at((tx) => claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }));
    expect(claim.claim).toBe('claimed');
    const message = { messageId, conversationId, sessionId: session.sessionId };
    await session.at((tx) => returnClaim(tx, message, token, 'session_not_ready'));
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
    expect(await rowsOf(database, sql<object>`select action, signal from dispatch order by id desc limit 1`)).toEqual([
      { action: 'signal_with_start', signal: 'released' },
    ]);
  });

  it('is not lost with a wake-up: the reconcile makes heads ready that nobody did, and leaves the others alone', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    await session.send(1, 'a');
    await session.send(2, 'b');
    await session.release();
    await rowsOf(database, sql<object>`update message set ready_at = null where body = 'b'`);
    const { reconcileRows } = createReconcileActivities({ database });
    expect((await reconcileRows({ all: false })).conversations).toBe(1);
    expect(await countOf(database, sql`message where ready_at is not null`)).toBe(2);
    expect((await reconcileRows({ all: false })).conversations).toBe(0);
    await session.at((tx) => releaseSession(tx, session.sessionId));
    expect(await session.released()).toEqual(['a']);
  });

  it('costs as much with 5,000 messages waiting as with a few, in one conversation or in many', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 600, burst: 1, firstContactsPerDay: 1 } });
    const { conversationId } = await session.send(0, 'first');
    await rowsOf(
      database,
      sql<object>`insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body, occurred_at,
          status, chat_seq)
        select 'one' || n, agency_id, tenant_id, session_id, id, 'out', 'api', 'text', '', now(), 'queued', n + 1
        from conversation, generate_series(1, 5000) n where id = ${conversationId}`,
    );
    await rowsOf(
      database,
      sql<object>`with c as (
          insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contacted)
          select 'c' || n, agency_id, tenant_id, session_id, n || '@c.us', true
          from conversation, generate_series(1, 5000) n where id = ${conversationId} returning *)
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body, occurred_at,
          status, chat_seq, ready_at)
        select id, agency_id, tenant_id, session_id, id, 'out', 'api', 'text', '', now(), 'queued', 1, ${session.now} from c`,
    );
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
    await rowsOf(database, sql<object>`update session set status = 'FAILED'`);
    expect(await session.plan(night.messageId)).toMatchObject({ rule: 'session_not_working' });
    await rowsOf(database, sql<object>`update agency set status = 'suspended'`);
    expect(await session.plan(night.messageId)).toMatchObject({ rule: 'suspended' });
    expect(await session.release()).toEqual({ released: 0, nextAt: null });
  });

  it('looks only at sessions that have a head whose time has come', async () => {
    const session = await aPacedSession(database, { pace: { ...SIXTY.pace, burst: 1 } });
    const ready = () => session.at((tx) => listReadySessions(tx));
    expect(await ready()).toEqual([]);
    await session.send(1, 'a');
    expect(await ready()).toEqual([session.sessionId]);
    await rowsOf(database, sql<object>`update message set ready_at = ready_at + interval '1 minute'`);
    expect(await ready()).toEqual([]);
    session.pass(60);
    expect(await ready()).toEqual([session.sessionId]);
    await rowsOf(database, sql<object>`update session set status = 'FAILED'`);
    expect(await ready()).toEqual([]);
  });

  /** Buffers of all tables and indexes that the database touched meanwhile. */
  async function buffersOf(work: () => Promise<unknown>): Promise<number> {
    const total = async () => {
      await rowsOf(database, sql<object>`select pg_stat_force_next_flush()`);
      const [row] = await rowsOf(
        database,
        sql<{
          n: string;
        }>`select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0))::text as n
          from pg_statio_user_tables where relname like 'message' or relname = 'conversation'`,
      );
      return Number(row?.n ?? 0);
    };
    const before = await total();
    await work();
    return (await total()) - before;
  }
});
