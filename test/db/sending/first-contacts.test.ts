import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimMessage } from '../../../db/sending/claim.ts';
import { lockConversation, recordLastMessage } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { applyAcks, endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { recordNewChats, releaseHeads, restrictSession } from '../../../db/sending/pace.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import {
  above,
  addRow,
  changeRows,
  countRows,
  deleteRows,
  findRow,
  findRows,
  later,
  like,
  toldEvents,
} from '../../support/rows.ts';
import { aPacedSession } from './a-paced-session.ts';
import type { PacedSession } from './a-paced-session.ts';
import { aDatabase } from '../a-database.ts';
import { stepped } from './stepped.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

const SIXTY = { pace: { perMinute: 60, burst: 3, firstContactsPerDay: 0 } };

describe('the release of messages to people who have never written', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.close());

  it('counts them by the tenant’s day, fewer of them in the first week', async () => {
    const session = await aPacedSession(database, {
      pace: { perMinute: 6_000, burst: 1_000, firstContactsPerDay: 10 },
      timeZone: 'America/Sao_Paulo',
    });
    await addRow(database, 'sessionPace', { sessionId: session.sessionId, firstConnectedAt: session.now });
    for (let to = 1; to <= 5; to += 1) await session.send(to, `m${to}`);
    await session.wrote(5);
    await session.release();
    expect(await session.released()).toEqual(['m1', 'm2', 'm5']);
    expect(await session.heads()).toEqual([
      { body: 'm3', heldBy: 'first_contacts', heldUntil: '2026-11-22 03:00' },
      { body: 'm4', heldBy: 'first_contacts', heldUntil: '2026-11-22 03:00' },
    ]);
    const { messageId } = await session.send(6, 'm6');
    expect(await session.plan(messageId)).toMatchObject({ rule: 'first_contacts' });
    session.set('2026-11-22T03:00:00Z');
    await session.release();
    // The second day allows a third of ten, rounded up.
    expect(await session.released()).toHaveLength(6);
    await session.sendAll();
    await session.send(1, 'again');
    await session.release();
    expect(await session.released()).toContain('again');
  });

  it('plans them day by day, outside quiet hours, and lets none expire for having waited its turn', async () => {
    const session = await aPacedSession(database, {
      pace: { perMinute: 6_000, burst: 1_000, firstContactsPerDay: 2 },
      quietHours: { from: '21:00', to: '08:00' },
    });
    const planned = [];
    for (let to = 1; to <= 20; to += 1) planned.push((await session.send(to, `m${to}`)).plan);
    const on = (day: string) => ({ sendAt: `2026-${day}T08:00:00.000Z`, rule: 'first_contacts' });
    expect(planned[1]).toEqual({ sendAt: session.now.toISOString(), rule: 'now' });
    expect([planned[2], planned[3], planned[4], planned[19]]).toEqual([
      on('11-22'),
      on('11-22'),
      on('11-23'),
      on('11-30'),
    ]);
    await session.release();
    // Messages that are held until the same moment have no certain order; here they go in the order of acceptance.
    const held = await findRows(database, 'message', { heldBy: 'first_contacts' }, ['id'], 'id');
    for (const [place, { id }] of held.entries())
      await changeRows(database, 'message', { readyAt: later({ milliseconds: place / 1_000 }) }, { id });
    for (const hour of ['2026-11-22T00:00:00Z', '2026-11-22T08:00:00Z']) {
      session.set(hour);
      await session.release();
    }
    const fifth = await findRow(database, 'message', { body: 'm5' }, ['id', 'expiresAt']);
    expect(
      await findRows(database, 'messageHistory', { messageId: fifth.id }, ['status', 'reason', 'detail'], 'id'),
    ).toEqual([
      { status: 'queued', reason: null, detail: null },
      { status: 'queued', reason: 'first_contacts', detail: 'until 2026-11-22T00:00:00Z' },
    ]);
    expect(fifth.expiresAt).toMatch(/^2026-11-24 08:00:/);
    expect(await session.plan(fifth.id)).toEqual({
      sendAt: '2026-11-23T08:00:00+00:00',
      rule: 'first_contacts',
    });
    const late = await session.send(21, 'too late', { expires: { at: new Date('2026-11-24T12:00:00Z') } });
    expect(late.plan).toMatchObject({ rule: 'first_contacts', expiresBefore: true });
    const tonight = new Date('2026-11-24T22:00:00Z');
    const scheduled = await session.send(22, 'tonight', { sendAt: tonight });
    expect(scheduled.plan.rule).toBe('first_contacts');
    await session.wrote(22);
    expect(await session.plan(scheduled.messageId)).toEqual({
      sendAt: '2026-11-25T08:00:00+00:00',
      rule: 'quiet_hours',
    });
    expect(await changeRows(database, 'session', { status: 'FAILED' })).toBe(1);
    expect((await session.send(23, 'away')).plan).toEqual({ sendAt: null, rule: 'session_not_working' });
  });

  it('holds them for a restricted account until the stated time, and tells the dashboard once', async () => {
    const session = await aPacedSession(database, SIXTY);
    const until = new Date('2026-11-21T18:00:00Z');
    await changeRows(database, 'endpoint', { events: ['session.restricted'] });
    for (let times = 0; times < 2; times += 1) {
      await session.at((tx) => restrictSession(tx, session.sessionId, { until, code: '463' }));
    }
    expect(await countRows(database, 'event', { type: 'session.restricted' })).toBe(1);
    const { messageId } = await session.send(1, 'new');
    await session.send(2, 'known');
    await session.wrote(2, 7 * 86_400);
    expect(await session.plan(messageId)).toEqual({
      sendAt: expect.stringContaining('2026-11-21T18:00:00'),
      rule: 'restricted',
    });
    await session.release();
    expect(await session.released()).toEqual(['known']);
    expect(await session.heads()).toEqual([{ body: 'new', heldBy: 'restricted', heldUntil: '2026-11-21 18:00' }]);
    session.set('2026-11-21T18:00:00Z');
    await session.release();
    expect(await session.released()).toEqual(['known', 'new']);
  });

  it('holds them for a restricted account that has no pace, too, until the person writes', async () => {
    const session = await aPacedSession(database, {});
    const until = new Date('2026-11-21T18:00:00Z');
    await session.at((tx) => restrictSession(tx, session.sessionId, { until, code: '463' }));
    const { conversationId } = await session.send(1, 'new');
    await session.send(2, 'another');
    await session.release();
    expect(await session.released()).toEqual([]);
    await session.at((tx) =>
      recordLastMessage(tx, conversationId, { id: 'msg_1', body: 'Hello', fromMe: false, at: session.now, unread: 1 }),
    );
    await session.release();
    expect(await session.released()).toEqual(['new']);
    session.set('2026-11-21T18:00:00Z');
    await session.send(3, 'after that');
    await session.release();
    expect((await session.released()).toSorted()).toEqual(['after that', 'another', 'new']);
  });

  it.each([
    ['without a pace', {}],
    ['beside a higher limit of the tenant', { pace: { perMinute: 6_000, burst: 1_000, firstContactsPerDay: 50 } }],
  ])('spreads the quota of a warned account over the rest of its cycle, %s', async (_, settings) => {
    const session = await aPacedSession(database, settings);
    await changeRows(database, 'endpoint', { events: ['session.quota', 'session.restricted'] });
    const warned = { step: 'first_warning', used: 94, total: 100, until: '2026-11-24T12:00:00.000Z' } as const;
    const told = (step: 'none' | 'first_warning' | 'second_warning' | 'capped', used = 94) =>
      session.at((tx) => recordNewChats(tx, session.sessionId, { ...warned, step, used }));
    await told('none');
    for (let times = 0; times < 2; times += 1) await told('first_warning');
    for (let to = 1; to <= 3; to += 1) await session.send(to, `new ${to}`);
    await session.send(4, 'known');
    await session.wrote(4);
    await session.release();
    expect((await session.released()).toSorted()).toEqual(['known', 'new 1', 'new 2']);
    expect(await session.heads()).toMatchObject([{ body: 'new 3', heldBy: 'first_contacts' }]);
    session.set('2026-11-22T12:00:00Z');
    await told('second_warning', 96);
    await session.release();
    expect((await session.released()).toSorted()).toEqual(['known', 'new 1', 'new 2', 'new 3']);
    await told('capped', 100);
    await session.send(5, 'too many');
    await session.release();
    expect(await session.heads()).toMatchObject([{ body: 'too many', heldBy: 'restricted' }]);
    session.set('2026-11-24T12:00:00Z');
    await told('none', 0);
    await session.release();
    expect(await session.heads()).toEqual([]);
    const events = (await toldEvents(database, { type: like('session.%') })).map(({ type, payload }) => ({
      type,
      step: payload['step'] ?? null,
      perDay: payload['firstContactsPerDay'] ?? null,
    }));
    expect(events).toEqual([
      { type: 'session.quota', step: 'first_warning', perDay: 2 },
      { type: 'session.quota', step: 'second_warning', perDay: 2 },
      { type: 'session.restricted', step: null, perDay: null },
      { type: 'session.quota', step: 'capped', perDay: null },
      { type: 'session.quota', step: 'none', perDay: null },
    ]);
  });

  it('keeps the quota of each account apart, and extends a cap whose end nobody has told', async () => {
    const session = await aPacedSession(database, {});
    await changeRows(database, 'endpoint', { events: ['session.quota'] });
    const other = await database.transaction(async (tx) => {
      await ensureTenant(tx, { agencyId: 'a1', tenantId: 't2' });
      return insertSession(tx, { agencyId: 'a1', tenantId: 't2' }, {});
    });
    const record = (id: string, until: string | null, step: 'first_warning' | 'capped' | 'none') =>
      session.at((tx) => recordNewChats(tx, id, { step, used: 90, total: 100, until }));
    await record(other ?? '', '2026-11-22T12:00:00.000Z', 'first_warning');
    await record(session.sessionId, '2026-12-01T12:00:00.000Z', 'first_warning');
    const columns = { id: 'sessionId', until: 'firstContactsCapUntil' } as const;
    const ends = (await findRows(database, 'sessionPace', {}, columns, 'firstContactsCapUntil')).map(
      ({ id, until }) => ({ id, day: until?.slice(5, 10) }),
    );
    expect(ends).toEqual([
      { id: other, day: '11-22' },
      { id: session.sessionId, day: '12-01' },
    ]);
    const restrictions = () =>
      countRows(database, 'sessionPace', { sessionId: session.sessionId, restrictedUntil: above(session.now) });
    for (const now of ['2026-11-21T12:00:00Z', '2026-11-22T11:00:00Z']) {
      session.set(now);
      await record(session.sessionId, null, 'capped');
    }
    session.set('2026-11-22T13:00:00Z');
    expect(await restrictions()).toBe(1);
    await record(session.sessionId, null, 'none');
    expect(await restrictions()).toBe(0);
  });

  /** Claims it as the workflow does, and says that it is sent. */
  async function deliver(session: PacedSession, messageId: string, conversationId: string): Promise<string> {
    const token = randomUUID();
    const { claim } = await session.at((tx) =>
      claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }),
    );
    if (claim !== 'claimed') return claim;
    await session.at((tx) => recordSent(tx, { messageId, conversationId, token, networkId: `N${messageId}` }));
    return claim;
  }

  it('is still first when the network has refused the one before', async () => {
    const session = await aPacedSession(database, SIXTY);
    const refused = await session.send(1, 'refused');
    await session.send(1, 'next');
    const other = await session.send(2, 'other');
    await session.release();
    await deliver(session, refused.messageId, refused.conversationId);
    await session.at((tx) =>
      applyAcks(tx, [
        {
          sessionId: session.sessionId,
          networkId: `N${refused.messageId}`,
          level: -1,
          error: { code: '463', reason: 'restricted', until: '2026-11-21T18:00:00Z' },
        },
      ]),
    );
    session.pass(5);
    await session.release();
    expect(await session.released()).not.toContain('next');
    expect(await session.heads()).toMatchObject([{ body: 'next', heldBy: 'restricted' }]);
    // A message that was released before the restriction gives its slot back.
    expect(await deliver(session, other.messageId, other.conversationId)).toBe('not_now');
    session.pass(5);
    await session.release();
    expect(await session.heads()).toMatchObject([
      { body: 'next', heldBy: 'restricted' },
      { body: 'other', heldBy: 'restricted' },
    ]);
    await deleteRows(database, 'dispatch');
    session.set('2026-11-21T18:00:00Z');
    await session.release();
    // It has a workflow that waits, though nothing was called yet.
    expect(await findRows(database, 'dispatch', { workflowId: `message/${other.messageId}` }, ['action'])).toEqual([
      { action: 'signal_with_start' },
    ]);
  });

  it('gives its share of the day back when it ends before anything was called', async () => {
    const session = await aPacedSession(database, {
      pace: { perMinute: 6_000, burst: 1_000, firstContactsPerDay: 1 },
    });
    const { conversationId, messageId } = await session.send(1, 'cancelled');
    await session.send(2, 'waits');
    await session.release();
    expect(await session.released()).toEqual(['cancelled']);
    await session.at(async (tx) => {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'cancelled', reason: 'cancelled_by_request', detail: null });
    });
    expect(await countRows(database, 'sessionPace', { firstContacts: 0 })).toBe(1);
    await session.change({});
    await session.release();
    expect(await session.released()).toEqual(['cancelled', 'waits']);
  });

  it('no longer wait once the person has written, also when they are held in the same moment', async () => {
    const session = await aPacedSession(database, {});
    const until = new Date('2026-11-21T18:00:00Z');
    await session.at((tx) => restrictSession(tx, session.sessionId, { until, code: '463' }));
    const { chatId } = await session.send(1, 'held');
    const found = await database.read((queries) => findSessionById(queries, session.sessionId));
    if (!found) throw new Error('The session is not there.');
    const releaser = stepped(database, (tx) => releaseHeads({ ...tx, now: session.now }, session.sessionId));
    await releaser.step();
    await releaser.step();
    const wrote = stepped(database, (tx) =>
      applyNetworkEvent({ ...tx, now: session.now }, found, anInbound(chatId, session.now)),
    );
    while (!wrote.blocked && !wrote.over) await wrote.step();
    while (!releaser.over) await releaser.step();
    while (!wrote.over) await wrote.step();
    await wrote.result;
    expect(await session.heads()).toEqual([]);
    await session.release();
    expect(await session.released()).toEqual(['held']);
  });
});

function anInbound(chatId: string, at: Date): NetworkEvent {
  return {
    kind: 'message',
    key: 'in',
    message: aNetworkMessage({ networkId: 'IN1', chatId, timestamp: Math.floor(at.getTime() / 1_000) }),
  };
}
