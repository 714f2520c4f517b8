import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { parseBackendEvent } from '../../../adapters/backend/events/events.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { NO_CHANGES } from '../../../db/network/changes/shown.ts';
import { importMessages } from '../../../db/network/history.ts';
import { bringInMissed } from '../../../db/network/missed.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { createCleanUp } from '../../../db/maintenance.ts';
import type { EventSession } from '../../../db/network/network-message.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, earlier, findRow, findRows, rowsOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { seeded } from '../seeded.ts';
import { adoptIn } from './adopt.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { anEdit, aReaction } from './message-change.ts';
import { aScript } from './script-of-kinds.ts';
import type { Expected, Script } from './script-of-kinds.ts';
import { howMany } from '../../support/depth.ts';

const { database, session: first } = await databaseOfThisFile();

const GROUPS = howMany({ few: 1, all: 8 });
const SCHEDULES_EACH = 25;

interface Schedule {
  seed: number;
  session: EventSession;
  script: Script;
}

/** Makes the sessions in which the scripts of these seeds happen. */
async function schedulesOf(seeds: readonly number[]): Promise<Schedule[]> {
  return database.transaction(async (tx) => {
    const { agencyId, tenantId } = first;
    const made: Schedule[] = [];
    for (const seed of seeds) {
      const name = `kinds-${seed}`;
      const id = await insertSession(tx, { agencyId, tenantId }, { name });
      if (id === null) throw new Error('The session was not made.');
      made.push({ seed, session: { id, agencyId, tenantId, name }, script: aScript(seed) });
    }
    return made;
  });
}

function eventOf(body: string): NetworkEvent {
  const parsed = parseBackendEvent(body);
  if (parsed.outcome !== 'parsed') throw new Error(`It cannot be read: ${parsed.reason}.`);
  return parsed.event;
}

/** Loses some of the messages, doubles some of the events, and puts all of them into another order. */
function disordered({ bodies, said }: Script, random: () => number): string[] {
  const lost = new Set(said.filter(() => random() < 0.25));
  const doubled = bodies.flatMap((body) => (lost.has(body) ? [] : random() < 0.4 ? [body, body] : [body]));
  return doubled
    .map((body) => ({ body, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ body }) => body);
}

/**
 * Applies the events of all schedules side by side, each schedule's in batches of its own. Then what was lost is brought
 * in, and the past is read.
 */
async function play(schedules: readonly Schedule[]): Promise<void> {
  const waiting = schedules.map(({ seed, session, script }) => {
    const random = seeded(seed * 7 + 1);
    return { session, random, bodies: disordered(script, random) };
  });
  while (waiting.some(({ bodies }) => bodies.length > 0)) {
    const told = waiting.flatMap(({ session, random, bodies }) =>
      bodies
        .splice(0, 1 + Math.floor(random() * 12))
        .map((body) => ({ session, event: eventOf(body), receivedAt: null })),
    );
    await database.transaction((tx) => applyNetworkEvents(tx, told));
    // Now and then the owner's messages have waited long enough for a send of ours to claim them.
    if (told.length % 2 === 0) await adoptWaiting();
  }
  for (const { session, script } of schedules) await compare(session, script);
  await adoptWaiting();
}

async function adoptWaiting(): Promise<void> {
  await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ minutes: 1 }) });
  await database.transaction((tx) => adoptIn(tx));
}

/** The backend shows all that was written, also what it has not told, and then its past is read. */
async function compare(session: EventSession, { said }: Script): Promise<void> {
  const shown = said.map(eventOf).flatMap((event) => (event.kind === 'message' ? [event.message] : []));
  for (const [chatId, messages] of Map.groupBy(shown, (message) => message.chatId)) {
    const compared = { shown: messages, toldSince: new Date(0), changes: NO_CHANGES };
    await database.transaction((tx) => bringInMissed(tx, session, compared));
    await database.transaction(async (tx) => {
      const account = await findSessionById(tx, session.id);
      if (account === null) throw new Error('The session is not there.');
      const chat = await ensureConversation(tx, { ...session, sessionId: session.id }, { chatId });
      await importMessages(tx, account, chat, { messages: messages.toReversed() });
    });
  }
}

/** Reads what the rows say of a session, in the shape in which the script expects it. */
async function foundIn({ id }: EventSession): Promise<Expected> {
  const messages = await rowsOf(
    database,
    sql<Expected['messages'][number]>`
      select m.network_id as "networkId", m.body, m.revoked_by as "revokedBy",
        coalesce(m.content->'call'->>'status', '') as call,
        array(select v.body from message_version v where v.message_id = m.id
          order by v.edit_id <> '', v.at, v.told_at, v.edit_id) as versions,
        coalesce((select jsonb_object_agg(r.kind || ' ' || r.responder, to_jsonb(r.value)) from message_response r
          where r.message_id = m.id), '{}') as responses
      from message m where m.session_id = ${id} and m.content->'notice' is null order by m.network_id`,
  );
  const columns = { chatId: 'chatId', unread: 'unreadCount', line: 'lastMessageBody' } as const;
  const chats = (await findRows(database, 'conversation', { sessionId: id }, columns, 'chatId')).map((chat) => ({
    ...chat,
    line: chat.line ?? '',
  }));
  const parked = await findRows(database, 'parkedChange', { sessionId: id }, ['key'], 'key');
  return { messages, chats, parked: parked.map(({ key }) => key) };
}

/** The rules that hold for every order of events: each returns the sessions that break it. */
const BROKEN = {
  'a message told twice, or not at all': sql<{ id: string }>`
    select m.session_id as id from message m
    where m.direction = 'in' and not is_notice(m.content) and 1 <> (select count(*) from event e
      where e.session_id = m.session_id and e.type = 'message'
        and e.body::jsonb #>> '{payload,messageId}' = m.id)`,
  'a last edit told that is not the text': sql<{ id: string }>`
    select m.session_id as id from message m cross join lateral (
      select e.body::jsonb #>> '{payload,body}' as body from event e
      where e.session_id = m.session_id and e.type = 'message.edited'
        and e.body::jsonb #>> '{payload,messageId}' = m.id order by e.sequence desc, e.id desc limit 1) last
    where last.body <> m.body and m.revoked_at is null`,
  'a revocation told twice, or not at all': sql<{ id: string }>`
    select m.session_id as id from message m
    where (m.revoked_at is not null)::integer <> (select count(*) from event e
      where e.session_id = m.session_id and e.type = 'message.revoked'
        and e.body::jsonb #>> '{payload,messageId}' = m.id)`,
  'a last reaction told that is not the one shown': sql<{ id: string }>`
    select m.session_id as id from message m join message_response r on r.message_id = m.id and r.kind = 'reaction'
    cross join lateral (
      select e.body::jsonb #>> '{payload,emoji}' as emoji from event e
      where e.session_id = m.session_id and e.type = 'message.reaction'
        and e.body::jsonb #>> '{payload,messageId}' = m.id
        and coalesce(e.body::jsonb #>> '{payload,by,fromMe}' = 'true', false) = (r.responder = 'account')
        and (r.responder not like '%@%' or e.body::jsonb #>> '{payload,by,from}' = split_part(r.responder, '@', 1))
      order by e.sequence desc, e.id desc limit 1) last
    where last.emoji is distinct from r.value[1] and m.revoked_at is null`,
  'a change of a group without its notice': sql<{ id: string }>`
    select s.id from session s
    where (select count(*) from event e where e.session_id = s.id and e.type = 'group.updated')
      <> (select count(*) from message m where m.session_id = s.id and m.content->'notice' is not null)`,
  'a turn for what nobody wrote': sql<{ id: string }>`
    select m.session_id as id from message m where is_notice(m.content) and (m.awaits_turn or m.turn_id is not null)`,
};

describe('events of every kind, doubled and in any order', () => {
  it.each(Array.from({ length: GROUPS }, (_, group) => group))(
    'leave what they leave in order, each told once (group %i of schedules)',
    async (group) => {
      const seeds = Array.from({ length: SCHEDULES_EACH }, (_, n) => group * SCHEDULES_EACH + n);
      const schedules = await schedulesOf(seeds);
      await play(schedules);
      for (const { seed, session, script } of schedules) {
        expect({ seed, ...(await foundIn(session)) }).toEqual({ seed, ...script.expected });
      }
    },
  );

  it.each(Object.entries(BROKEN))('leave nowhere %s', async (_what, broken) => {
    expect(await rowsOf(database, broken)).toEqual([]);
  });
});

describe('what was done to a message that we do not know', () => {
  const at = 1_800_000_000;
  const chatId = '15550190001@c.us';
  const by = { fromMe: false, chatId, participant: null, aliases: [] };
  const tell = (event: NetworkEvent) => database.transaction((tx) => applyNetworkEvent(tx, first, event));
  const keptOf = (networkId: string) =>
    rowsOf(
      database,
      sql<{ kind: string }>`
      select change->>'kind' as kind from parked_change where network_id = ${networkId} order by 1`,
    );

  it('is kept for when it comes: an edit of a message that we do not know, told before it', async () => {
    await tell(anEdit('LATE', 'at four', { by, at: (at + 60) * 1_000 }));
    expect(await keptOf('LATE')).toEqual([{ kind: 'edited' }]);
    const message = aNetworkMessage({ networkId: 'LATE', chatId, timestamp: at, body: 'at three' });
    await tell({ kind: 'message', key: 'LATE', message });
    const { id: messageId, body } = await findRow(database, 'message', { networkId: 'LATE' }, ['id', 'body']);
    expect(body).toBe('at four');
    expect(await findRows(database, 'messageVersion', { messageId }, ['body'], 'at')).toEqual([
      { body: 'at three' },
      { body: 'at four' },
    ]);
    expect(await keptOf('LATE')).toEqual([]);
  });

  it('is parked, tells nobody anything and goes after two days where it never comes: reactions to nothing', async () => {
    const told = () => findRows(database, 'event', { sessionId: first.id }, ['id']);
    const before = await told();
    for (const emoji of ['👍', '']) await tell(aReaction('NEVER', emoji, { by, at: at * 1_000 }));
    await tell(aReaction('NEVER', '👍', { by, at: at * 1_000 }));
    expect(await keptOf('NEVER')).toEqual([{ kind: 'reaction' }, { kind: 'reaction' }]);
    expect(await told()).toEqual(before);
    const cleanUp = createCleanUp(database);
    await cleanUp();
    expect(await keptOf('NEVER')).toHaveLength(2);
    await changeRows(database, 'parkedChange', { at: earlier({ hours: 49 }) }, { networkId: 'NEVER' });
    await cleanUp();
    expect(await keptOf('NEVER')).toEqual([]);
  });
});
