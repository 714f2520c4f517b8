import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { statementsOf } from '../../loops/processes.ts';
import { addRow, addRows, atMost, changeRows, findRow, findRows, not } from '../../support/rows.ts';
import { ANNA, BEN, sessionsUnheard, silence } from './a-session-unheard.ts';

const HOUR_MS = 3_600_000;
const { database } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);
const now = () => database.clock.now().getTime();

describe('a look at a session whose backend shows a message that it has not told of', () => {
  it('has the session compared, which fetches the message, tells of the silence and asks for a restart', async () => {
    const session = await aSession();
    session.shows(ANNA, 'hello?', HOUR_MS);
    const late = session.shows(ANNA, 'anybody?', HOUR_MS / 2);
    session.shows(BEN, 'from the phone', HOUR_MS, { fromMe: true });
    expect(await session.look()).toMatchObject({ next: { deed: 'comparison', inMs: 0 } });
    expect(await session.carryOut()).toEqual({ deed: 'comparison', waitMs: 0 });
    expect(await session.events()).toEqual([
      { type: 'session.silent', what: 'messages_missed' },
      { type: 'message', what: 'hello?' },
      { type: 'message', what: 'anybody?' },
    ]);
    expect(await session.row()).toMatchObject({ asked: 'restart', silenceRestarts: 1, silentSince: expect.any(Date) });
    expect(await findRows(database, 'parkedOwnMessage', { sessionId: session.id })).toHaveLength(1);
    // A late event is known already, and proves that the backend reports again.
    database.clock.advance(120_000);
    await session.tells(late);
    expect(await session.events()).toHaveLength(3);
    await changeRows(database, 'session', { asked: null }, { id: session.id });
    expect(await session.carryOut()).toEqual({ deed: 'comparison', waitMs: 0 });
    expect((await session.events()).at(-1)).toEqual({ type: 'session.recovered', what: 'heard' });
    expect(await session.row()).toMatchObject({ suspect: null, silentSince: null, compareAt: null });
  });

  it('takes a gap in what was told for a silence that is over, and asks for no restart', async () => {
    const session = await aSession();
    session.shows(ANNA, 'lost on the way', HOUR_MS);
    await session.tells(session.shows(ANNA, 'told', HOUR_MS / 2));
    session.shows(BEN, 'lost, too', (HOUR_MS / 3) * 2);
    await session.look();
    await session.carryOut();
    expect((await session.events()).map(({ type, what }) => `${type} ${what}`)).toEqual([
      'message told',
      'session.silent messages_missed',
      'message lost, too',
      'message lost on the way',
      'session.recovered heard',
    ]);
    expect(await session.row()).toMatchObject({ asked: null, silentSince: null });
  });

  it.each([
    ['is so young that the backend may be trying to tell it', { agoMs: 250_000 }],
    ['came before the session worked', { agoMs: 7 * HOUR_MS }],
    ['is a notice of the network', { more: { kind: 'other' as const, body: '' } }],
    [
      'has content that nobody knows, and no words',
      { more: { kind: 'other' as const, body: '', unknownContent: 'newMessage' } },
    ],
    ['is of a channel', { chatId: '12036304@newsletter' }],
    ['is of an unknown kind of chat', { chatId: '8670001@bot' }],
  ])('leaves it alone when the message %s', async (_case, { agoMs = HOUR_MS, chatId = ANNA, more = {} }: Shown) => {
    const session = await aSession();
    session.shows(chatId, 'hello?', agoMs, more);
    expect(await session.look()).not.toHaveProperty('next');
    expect(await session.row()).toMatchObject({ suspect: null, comparedAt: expect.any(Date) });
  });

  it('leaves it alone while the message waits to be applied, where checks are off, and where nothing is listed', async () => {
    const [behind, off, deaf] = [await aSession(), await aSession({ ...silence, isOn: false }), await aSession()];
    await behind.tells(behind.shows(ANNA, 'hello?', HOUR_MS), false);
    off.shows(ANNA, 'hello?', HOUR_MS);
    deaf.keepsNoChats();
    for (const session of [behind, off, deaf]) {
      expect(await session.look()).not.toHaveProperty('next');
      expect(await session.row()).toMatchObject({ suspect: null, status: 'WORKING' });
    }
  });
});

interface Shown {
  agoMs?: number;
  chatId?: string;
  more?: Partial<NetworkMessage>;
}

describe('reconcileRows: what sessions have heard', () => {
  const { reconcileRows } = createReconcileActivities({ database, silence });
  const run = () => reconcileRows({ all: false });
  /** Sessions that have been heard in each hour of the last weeks, and now for so many hours not. */
  const hearing = async (ids: readonly string[], quietHours: number): Promise<void> => {
    const quiet = new Date(now() - quietHours * HOUR_MS);
    const heard = Array.from({ length: 168 }, () => 4);
    for (const sessionId of ids) {
      const learnedUntil = new Date(now());
      await addRow(database, 'sessionHearing', { sessionId, heardAt: quiet, learnedUntil, listensFrom: quiet });
      await addRow(database, 'sessionPattern', { sessionId, heard, seen: heard });
    }
    await changeRows(database, 'session', { statusChangedAt: quiet }, { id: ids });
  };

  it('has one that is unusually quiet compared at once, and takes one that is far too quiet for silent', async () => {
    const [quiet, silent, usual] = [await aSession(), await aSession(), await aSession()];
    await hearing([quiet.id], 3);
    await hearing([silent.id], 24);
    await hearing([usual.id], 1);
    expect(await run()).toMatchObject({ hearing: 2, failed: [] });
    expect(await quiet.row()).toMatchObject({ suspect: null, compareAt: expect.any(Date) });
    expect(await silent.row()).toMatchObject({ suspect: 'nothing_heard', compareAt: expect.any(Date) });
    expect((await usual.row()).compareAt ?? null).toBeNull();
    expect(
      await findRows(
        database,
        'dispatch',
        { workflowId: [quiet, silent, usual].map(({ id }) => `session/${id}`), signal: not(null) },
        { id: 'workflowId' },
      ),
    ).toHaveLength(2);
    expect(await quiet.look()).not.toHaveProperty('next');
    expect((await quiet.row()).compareAt ?? null).toBeNull();
    silent.keepsNoChats();
    expect(await silent.look()).toMatchObject({ next: { deed: 'comparison' }, silence: { reason: 'nothing_heard' } });
    await silent.carryOut();
    expect(await silent.events()).toEqual([{ type: 'session.silent', what: 'nothing_heard' }]);
    expect(await silent.row()).toMatchObject({ asked: 'restart' });
  });

  it('is one statement while no look is due, and four for a page of hundreds of sessions', async () => {
    await run();
    const ids = Array.from({ length: 400 }, () => `ses_${randomUUID()}`);
    await addRows(database, 'session', ids.length, (n) => {
      const id = ids[n - 1] ?? '';
      return { ...SCOPE, id, name: id, status: 'WORKING' };
    });
    const statements = await statementsOf(database);
    await statements.beginAnew();
    await run();
    expect(await statements.count('session_hearing')).toBe(1);
    await hearing(ids, 1);
    await statements.beginAnew();
    await run();
    expect(await statements.count('session_hearing')).toBe(2);
    expect(await findRows(database, 'sessionHearing', { sessionId: ids, lookAt: atMost(new Date(now())) })).toEqual([]);
  });

  it('notes that a contact was heard with the statement that marks the events as applied', async () => {
    const session = await aSession();
    await session.tells(session.shows(ANNA, 'one', HOUR_MS));
    const heardAt = async () => {
      const row = await findRow(database, 'sessionHearing', { sessionId: session.id }, ['heardAt']);
      return new Date(row.heardAt).getTime();
    };
    const first = await heardAt();
    expect(now() - first).toBeLessThan(60_000);
    const statements = await statementsOf(database);
    await statements.beginAnew();
    await session.tells(session.shows(ANNA, 'two', HOUR_MS));
    expect(await heardAt()).toBe(first);
    database.clock.advance(20_000);
    await session.tells(session.shows(ANNA, 'three', HOUR_MS));
    expect(await heardAt()).toBeGreaterThan(first);
    expect(await statements.count('insert into session_hearing')).toBe(2);
    expect(await statements.count('set applied_at')).toBe(2);
  });
});
