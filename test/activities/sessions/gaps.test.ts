import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sql } from 'kysely';
import { applySessionStatus } from '../../../db/network/ingest.ts';
import { parkBackendEvents } from '../../../db/network/parked-event.ts';
import { findRestart, recordBackend } from '../../../db/sessions/backend-state.ts';
import { recordDeleted } from '../../../db/sessions/delete.ts';
import { openGaps } from '../../../db/sessions/gaps.ts';
import type { GapCause } from '../../../domain/sessions/gap.ts';
import { openGapsOfAll } from '../../../loops/open-gaps.ts';
import { noteReceiving } from '../../../loops/receiving.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, earlier, findRows, json, not, toldPayloads } from '../../support/rows.ts';
import { ANNA, AUDIT_EVERY_MS, BEN, sessionsUnheard } from './a-session-unheard.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ZOE = '15550410003@c.us';
const { database } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);
const now = () => database.clock.now().getTime();
const ago = (ms: number) => new Date(now() - ms);

const gapsOf = ({ id }: { id: string }) =>
  findRows(
    database,
    'gap',
    { sessionId: id },
    {
      cause: 'cause',
      state: 'state',
      recovered: 'recovered',
      own: 'own',
      revoked: 'revoked',
      chats: 'chats',
      messages: 'messages',
      unknown: 'leftUnknown',
    },
    'id',
  );
const open = ({ id }: { id: string }, cause: GapCause, from: Date, to = ago(0)) =>
  database.transaction((tx) => openGaps(tx, [id], { cause, from, to }));
const Told = z.object({ body: z.string(), recovered: z.boolean().nullish(), timestamp: z.number() });
/** All the messages of a session that were told, with whether they were told as recovered. */
const toldOf = async ({ id }: { id: string }) =>
  z
    .array(Told)
    .parse(await toldPayloads(database, { sessionId: id, type: 'message' }))
    .map(({ body, recovered = null, timestamp }) => ({ body, recovered, at: timestamp }));

describe('an engine that took no events for a while', () => {
  it('opens one gap of each session that works, which is compared, flagged, in order, and closed', async () => {
    const session = await aSession();
    const idle = await aSession();
    await changeRows(database, 'session', { status: 'SCAN_QR_CODE' }, { id: idle.id });
    await noteReceiving(database);
    await changeRows(database, 'receiving', { beatAt: ago(20 * MINUTE_MS) });
    const known = session.shows(ANNA, 'known', 30 * MINUTE_MS);
    await session.tells(known);
    session.shows(ANNA, 'one', 10 * MINUTE_MS);
    // The network tells whole seconds, so the list alone knows which of these came first.
    session.shows(ANNA, 'two', 5 * MINUTE_MS);
    session.shows(ANNA, 'three', 5 * MINUTE_MS);
    session.shows(BEN, 'hello', 15 * MINUTE_MS);
    session.shows(BEN, 'from the phone', 4 * MINUTE_MS, { fromMe: true });
    await Promise.all([noteReceiving(database), noteReceiving(database)]);
    expect(await gapsOf(idle)).toEqual([]);
    expect(await gapsOf(session)).toMatchObject([{ cause: 'engine_down', state: 'open' }]);
    expect(await session.look()).toMatchObject({ gaps: { open: 1 }, next: { deed: 'gap_comparison' } });
    database.clock.advance(1_000);
    expect(await session.carryOut()).toEqual({ deed: 'gap_comparison', waitMs: 0 });
    expect((await toldOf(session)).map(({ body, recovered }) => `${body} ${recovered}`)).toEqual([
      'known null',
      'one true',
      'two true',
      'three true',
      'hello true',
    ]);
    expect(await gapsOf(session)).toEqual([
      { cause: 'engine_down', state: 'closed', recovered: 4, own: 1, revoked: 0, chats: 2, messages: 5, unknown: [] },
    ]);
    expect(await session.row()).toMatchObject({ gapsDueAt: null });
    expect(await session.look()).not.toHaveProperty('next');
    await noteReceiving(database);
    expect(await gapsOf(session)).toHaveLength(1);
  });

  it('takes a message once that the backend tells by itself, before or after it is fetched', async () => {
    const session = await aSession();
    const first = session.shows(ANNA, 'told before', 10 * MINUTE_MS);
    const second = session.shows(ANNA, 'told after', 9 * MINUTE_MS);
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await session.tells(first);
    await session.carryOut();
    await session.tells(second);
    expect((await toldOf(session)).map(({ body, recovered }) => `${body} ${recovered}`)).toEqual([
      'told before null',
      'told after true',
    ]);
  });

  it('waits for what was received and is not applied yet, and compares then', async () => {
    const session = await aSession();
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await session.tells(session.shows(ANNA, 'waits', 10 * MINUTE_MS), false);
    await changeRows(
      database,
      'backendEvent',
      { receivedAt: earlier({ minutes: 1 }) },
      { sessionName: (await session.row()).name },
    );
    await session.carryOut();
    expect(await gapsOf(session)).toMatchObject([{ state: 'comparing', recovered: 0, chats: 0 }]);
    expect(await toldOf(session)).toEqual([]);
  });
});

describe('a gap', () => {
  it('tells what only a read of the history has brought meanwhile, and marks what was deleted since', async () => {
    const session = await aSession();
    const kept = session.shows(ANNA, 'kept', 50 * MINUTE_MS);
    const deleted = session.shows(ANNA, 'deleted', 40 * MINUTE_MS);
    for (const message of [kept, deleted]) await session.tells(message);
    await open(session, 'session_down', ago(30 * MINUTE_MS));
    const read = session.shows(ANNA, 'read first', 20 * MINUTE_MS);
    await session.scrolls(ANNA);
    expect(await toldOf(session)).toHaveLength(2);
    deleted.body = '';
    // A pass reads from shortly before the gap on.
    await changeRows(database, 'gap', { fromAt: ago(45 * MINUTE_MS) }, { sessionId: session.id });
    await session.carryOut();
    expect((await toldOf(session)).at(-1)).toEqual({ body: 'read first', recovered: true, at: read.timestamp });
    expect(await findRows(database, 'message', { sessionId: session.id, revokedAt: not(null) }, ['body'])).toEqual([
      { body: 'deleted' },
    ]);
    expect(await gapsOf(session)).toMatchObject([{ state: 'comparing', recovered: 1, revoked: 1 }]);
  });

  it('goes on behind the last chat after a kill, and tells nothing twice', async () => {
    const session = await aSession();
    session.shows(ZOE, 'first', 15 * MINUTE_MS);
    session.shows(ANNA, 'second', 12 * MINUTE_MS);
    session.shows(BEN, 'third', 10 * MINUTE_MS);
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    session.breaksAt(BEN);
    await expect(session.carryOut()).rejects.toThrow('killed');
    expect(await toldOf(session)).toMatchObject([{ body: 'first' }, { body: 'second' }]);
    session.breaksAt(null);
    const calls = session.chatsRead.length;
    await session.carryOut();
    expect(session.chatsRead.slice(calls)).not.toContain(ZOE);
    expect((await toldOf(session)).map(({ body }) => body)).toEqual(['first', 'second', 'third']);
    expect(await gapsOf(session)).toMatchObject([{ state: 'closed', recovered: 3 }]);
  });

  it('begins when a session works no more, lasts until it does, and is compared twice', async () => {
    const session = await aSession();
    const status = async (word: string) => {
      const row = await session.row();
      const report = { kind: 'session', key: word, status: word, at: now(), me: null, platform: null } as const;
      await database.transaction((tx) => applySessionStatus(tx, row, report));
    };
    await status('FAILED');
    expect(await gapsOf(session)).toMatchObject([{ cause: 'session_down', state: 'open' }]);
    expect((await session.row()).gapsDueAt ?? null).toBeNull();
    database.clock.advance(HOUR_MS);
    session.shows(ANNA, 'are you there?', 30 * MINUTE_MS);
    await status('WORKING');
    await session.carryOut();
    expect(await toldOf(session)).toMatchObject([{ body: 'are you there?', recovered: true }]);
    expect(await session.row()).toMatchObject({ gapsDueAt: expect.any(Date) });
    session.shows(ANNA, 'this came late', 20 * MINUTE_MS);
    database.clock.advance(5 * MINUTE_MS);
    await session.carryOut();
    expect(await toldOf(session)).toHaveLength(2);
    expect(await gapsOf(session)).toMatchObject([{ state: 'closed', recovered: 2 }]);
  });

  it('of a session with another account is closed, and nothing of that account is told', async () => {
    const session = await aSession();
    await changeRows(database, 'session', { chatId: BEN, toldAccount: ANNA }, { id: session.id });
    session.shows(ANNA, 'to the other account', 10 * MINUTE_MS);
    await open(session, 'session_down', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect(await toldOf(session)).toEqual([]);
    expect(await gapsOf(session)).toMatchObject([{ state: 'closed', unknown: ['other_account'] }]);
  });

  it('is asked about again where the backend keeps no chats', async () => {
    const session = await aSession();
    session.keepsNoChats();
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect(await gapsOf(session)).toMatchObject([{ state: 'comparing', unknown: ['chats_unlisted'] }]);
    expect(await session.row()).toMatchObject({ gapsDueAt: expect.any(Date) });
  });
});

describe('an audit of a session', () => {
  it('brings in what a chat lacks that nothing else has shown, writes a gap for it alone, and rests for a day', async () => {
    const [session, whole] = [await aSession(), await aSession()];
    const since = ago(2 * AUDIT_EVERY_MS);
    const ids = [session.id, whole.id];
    await changeRows(database, 'session', { statusChangedAt: since }, { id: ids });
    session.shows(ANNA, 'from before it worked', 3 * AUDIT_EVERY_MS);
    session.shows(ANNA, 'lost', 10 * HOUR_MS);
    for (const each of [session, whole]) await each.tells(each.shows(ANNA, 'told', 9 * HOUR_MS));
    for (const each of [session, whole]) {
      expect(await each.look()).toMatchObject({ next: { deed: 'gap_comparison', inMs: 0 } });
      await each.carryOut();
      expect(await each.look()).not.toHaveProperty('next');
    }
    expect((await toldOf(session)).map(({ body, recovered }) => `${body} ${recovered}`)).toEqual([
      'told null',
      'lost true',
    ]);
    expect(await gapsOf(session)).toMatchObject([{ cause: 'audit', state: 'closed', recovered: 1, unknown: [] }]);
    expect(await gapsOf(whole)).toEqual([]);
  });
});

describe('other causes of gaps', () => {
  it('are a backend that was started again, whose sessions alone get one, and an event that was parked', async () => {
    const server = `b-${randomUUID()}`;
    const [session, other] = [await aSession(undefined, server), await aSession()];
    const startedAt = ago(HOUR_MS);
    await database.transaction((tx) => recordBackend(tx, server, { startedAt }));
    const restart = (at: Date) => database.read((queries) => findRestart(queries, server, at));
    expect(await restart(startedAt)).toBeNull();
    // One of two processes behind an address started before the last response.
    expect(await restart(ago(30 * MINUTE_MS))).toBeNull();
    const lost = await restart(ago(0));
    if (lost === null) throw new Error('It was started again.');
    await openGapsOfAll(database, { ...lost, cause: 'backend_restarted', backend: server });
    expect(await gapsOf(session)).toMatchObject([{ cause: 'backend_restarted', state: 'open' }]);
    expect(await gapsOf(other)).toEqual([]);

    await other.tells(other.shows(ANNA, 'nobody can read it', 10 * MINUTE_MS), false);
    const { name } = await other.row();
    await database.transaction((tx) => parkBackendEvents(tx, sql`session_name = ${name}`));
    await other.carryOut();
    expect(await gapsOf(other)).toMatchObject([{ cause: 'parked_events', state: 'closed', recovered: 0 }]);
  });

  it('go with the session when it is deleted', async () => {
    const session = await aSession();
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await database.transaction((tx) => recordDeleted(tx, session.id));
    expect(await gapsOf(session)).toEqual([]);
  });
});

describe('the agent, of a message that was recovered', () => {
  const silencesOf = async ({ id }: { id: string }) => {
    const columns = ['body', 'awaitsTurn', 'turnId'] as const;
    const said = await findRows(database, 'message', { sessionId: id, direction: 'in' }, columns, 'occurredAt');
    const turns = await findRows(database, 'aiTurn', { sessionId: id }, ['id', 'silenceCode']);
    return said.map(({ body, awaitsTurn, turnId }) => ({
      body,
      code: turns.find((turn) => turn.id === turnId)?.silenceCode ?? null,
      owed: awaitsTurn,
    }));
  };
  const setPersona = (persona: object) =>
    changeRows(
      database,
      'tenant',
      { aiEnabled: true, persona: json(persona) },
      { agencyId: SCOPE.agencyId, id: SCOPE.tenantId },
    );

  it('owes an answer until it is as old as the persona says, and none to what was answered on the phone', async () => {
    const session = await aSession();
    await setPersona({ answerRecoveredWithinMinutes: 60 });
    session.shows(ANNA, 'too old', 90 * MINUTE_MS);
    session.shows(ANNA, 'old', 40 * MINUTE_MS);
    session.shows(BEN, 'answered', 30 * MINUTE_MS);
    session.shows(BEN, 'from the phone', 20 * MINUTE_MS, { fromMe: true });
    await open(session, 'engine_down', ago(100 * MINUTE_MS));
    await session.carryOut();
    expect(await silencesOf(session)).toEqual([
      { body: 'too old', code: 'stale', owed: false },
      { body: 'old', code: null, owed: true },
      { body: 'answered', code: 'stale', owed: false },
    ]);
    await setPersona({});
    const other = await aSession();
    other.shows(ANNA, 'old', 40 * MINUTE_MS);
    other.shows(ANNA, 'young', 5 * MINUTE_MS);
    await open(other, 'engine_down', ago(100 * MINUTE_MS));
    await other.carryOut();
    expect(await silencesOf(other)).toMatchObject([
      { body: 'old', code: 'stale' },
      { body: 'young', owed: true },
    ]);
  });
});
