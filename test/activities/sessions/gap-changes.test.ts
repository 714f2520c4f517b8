import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { openGaps } from '../../../db/sessions/gaps.ts';
import type { GapCause } from '../../../domain/sessions/gap.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEdit, aReaction, aRevoke } from '../../db/network/message-change.ts';
import { changeRows, findRows, rowsOf } from '../../support/rows.ts';
import { ANNA, BEN, sessionsUnheard } from './a-session-unheard.ts';

const MINUTE_MS = 60_000;
const ZOE = '15550410003@c.us';
const { database } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);
const now = () => database.clock.now().getTime();
const ago = (ms: number) => new Date(now() - ms);
const gapsOf = ({ id }: { id: string }) =>
  findRows(database, 'gap', { sessionId: id }, ['state', 'recovered', 'revoked', 'changed'], 'id');
const open = ({ id }: { id: string }, cause: GapCause, from: Date, to = ago(0)) =>
  database.transaction((tx) => openGaps(tx, [id], { cause, from, to }));

describe('what was done to messages during a gap', () => {
  /** Returns the events beside messages. */
  const changesOf = async (session: { events: () => Promise<{ type: string; what: string | null }[]> }) =>
    (await session.events()).filter(({ type }) => type !== 'message').map(({ type }) => type);

  it('is found in chats in which nothing was said since, told once, and counted', async () => {
    const session = await aSession();
    const edited = session.shows(ANNA, 'I need 5', 25 * MINUTE_MS);
    const liked = session.shows(ANNA, 'we liked it', 24 * MINUTE_MS);
    const taken = session.shows(BEN, 'oops', 23 * MINUTE_MS);
    const before = session.shows(ZOE, 'edited before', 22 * MINUTE_MS);
    for (const message of [edited, liked, taken, before]) await session.tells(message);
    const at = now() - 10 * MINUTE_MS;
    session.changes.push(
      anEdit(edited.networkId, 'I need 50', { at }),
      aReaction(liked.networkId, '👍', { at }),
      aReaction(edited.networkId, '', { at }),
      aRevoke(taken.networkId, { at }),
      // The list shows a message as it is, also where it was heard.
      anEdit(before.networkId, 'edited before', { at }),
    );
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect((await changesOf(session)).toSorted()).toEqual(['message.edited', 'message.reaction', 'message.revoked']);
    expect(await gapsOf(session)).toMatchObject([{ state: 'closed', recovered: 0, revoked: 1, changed: 2 }]);
    const rows = sql`select body, revoked_at is not null as revoked,
      array(select value[1] from message_response r where r.message_id = m.id) as reactions,
      (select count(*)::int from message_version v where v.message_id = m.id) as versions
      from message m where session_id = ${session.id} order by occurred_at`;
    expect(await rowsOf(database, rows)).toEqual([
      { body: 'I need 50', revoked: false, reactions: [], versions: 2 },
      { body: 'we liked it', revoked: false, reactions: ['👍'], versions: 0 },
      { body: 'oops', revoked: true, reactions: [], versions: 0 },
      { body: 'edited before', revoked: false, reactions: [], versions: 0 },
    ]);
    await open(session, 'backend_restarted', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect(await changesOf(session)).toHaveLength(3);
  });

  it('loses against what was told of a message while the list was read, and against edits that are known', async () => {
    const session = await aSession();
    const message = session.shows(ANNA, 'one', 25 * MINUTE_MS);
    await session.tells(message);
    const apply = async (body: string, at: number) => {
      const row = await session.row();
      const edit = anEdit(message.networkId, body, { at });
      await database.transaction((tx) => applyNetworkEvents(tx, [{ session: row, event: edit, receivedAt: null }]));
    };
    await apply('two', now() - 15 * MINUTE_MS);
    await apply('three', now() - 14 * MINUTE_MS);
    // The list was made before the last edit.
    session.changes.push(anEdit(message.networkId, 'two', { at: now() - 15 * MINUTE_MS, editId: 'shown' }));
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect(await findRows(database, 'message', { sessionId: session.id }, ['body'])).toEqual([{ body: 'three' }]);
    // One that was missed holds, although a list may not say when it was made.
    session.changes.splice(0, 1, anEdit(message.networkId, 'four', { at: message.timestamp * 1_000 }));
    await changeRows(database, 'message', { updatedAt: ago(MINUTE_MS) }, { sessionId: session.id });
    await open(session, 'backend_restarted', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect(await findRows(database, 'message', { sessionId: session.id }, ['body'])).toEqual([{ body: 'four' }]);
  });

  it('lowers the unread count to that of a list that ends with the same message, and to no other', async () => {
    const session = await aSession();
    for (const chat of [ANNA, BEN, ZOE]) {
      for (const minutes of [30, 25]) await session.tells(session.shows(chat, 'hello', minutes * MINUTE_MS));
    }
    session.shows(ZOE, 'not told', 10 * MINUTE_MS);
    session.unread.set(ANNA, 0).set(BEN, 1).set(ZOE, 0);
    await open(session, 'engine_down', ago(28 * MINUTE_MS));
    await session.carryOut();
    expect(
      await findRows(
        database,
        'conversation',
        { sessionId: session.id },
        { chat: 'chatId', unread: 'unreadCount' },
        'chatId',
      ),
    ).toEqual([
      { chat: ANNA, unread: 0 },
      { chat: BEN, unread: 1 },
      { chat: ZOE, unread: 3 },
    ]);
  });

  it('is found behind a page of chats that is short although more follow', async () => {
    const session = await aSession();
    const chats = Array.from({ length: 25 }, (_, n) => `1555042${1000 + n}@c.us`);
    for (const chat of chats) session.shows(chat, 'lost', 10 * MINUTE_MS);
    session.hidden.add(chats[3] ?? '');
    await open(session, 'engine_down', ago(20 * MINUTE_MS));
    await session.carryOut();
    expect(await gapsOf(session)).toMatchObject([{ state: 'closed', recovered: 24 }]);
  });
});
