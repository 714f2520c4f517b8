import { describe, expect, it } from '@jest/globals';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, findRows, toldPayloads } from '../../support/rows.ts';
import { ANNA, AUDIT_EVERY_MS, BEN, sessionsUnheard } from './a-session-unheard.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ZOE = '15550410003@c.us';
const { database } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);

/** The bodies of the messages that were told as recovered, in their order. */
async function broughtInto({ id }: { id: string }): Promise<unknown[]> {
  const told = await toldPayloads(database, { sessionId: id, type: 'message' }, { recovered: true });
  return told.map(({ body }) => body);
}

describe('an audit of a session', () => {
  it('that is killed between its chats overlooks none of them, and brings in nothing twice', async () => {
    const session = await aSession();
    const since = new Date(database.clock.now().getTime() - 2 * AUDIT_EVERY_MS);
    await changeRows(database, 'session', { statusChangedAt: since }, { id: session.id });
    for (const [place, chat] of [ZOE, ANNA, BEN].entries()) {
      session.shows(chat, chat, (12 - place) * HOUR_MS);
      await session.tells(session.shows(chat, 'told', (12 - place) * HOUR_MS - MINUTE_MS));
    }
    await session.look();
    session.breaksAt(BEN);
    await expect(session.carryOut()).rejects.toThrow('killed');
    expect(await broughtInto(session)).toEqual([ZOE, ANNA]);
    session.breaksAt(null);
    await session.carryOut();
    expect(await broughtInto(session)).toEqual([ZOE, ANNA, BEN]);
    expect(await findRows(database, 'gap', { sessionId: session.id }, ['cause', 'state', 'recovered'])).toEqual([
      { cause: 'audit', state: 'closed', recovered: 3 },
    ]);
  });

  it('reads again what earlier ones have read of the last week, because each sees only a few chats', async () => {
    const session = await aSession();
    const since = new Date(database.clock.now().getTime() - 2 * AUDIT_EVERY_MS);
    await changeRows(database, 'session', { statusChangedAt: since }, { id: session.id });
    session.shows(ZOE, 'in no sample yet', 12 * HOUR_MS);
    session.hidden.add(ZOE);
    await session.look();
    await session.carryOut();
    expect(await broughtInto(session)).toEqual([]);
    session.hidden.delete(ZOE);
    database.clock.advance(AUDIT_EVERY_MS + MINUTE_MS);
    await session.look();
    await session.carryOut();
    expect(await broughtInto(session)).toEqual(['in no sample yet']);
  });

  it('has the next one begin a week back, or where it began itself if it could not read everything', async () => {
    const to = database.clock.now().getTime();
    const since = new Date(to - 10 * AUDIT_EVERY_MS);
    const [readable, closed] = [await aSession(), await aSession()];
    closed.keepsNoChats();
    for (const session of [readable, closed]) {
      await changeRows(database, 'session', { statusChangedAt: since }, { id: session.id });
      await session.look();
      await changeRows(database, 'gap', { attempts: 4 }, { sessionId: session.id });
      await session.carryOut();
      expect((await session.row()).gapsDueAt).toBeNull();
    }
    const begins = (await readable.row()).toldSince?.getTime() ?? 0;
    expect([begins > since.getTime(), begins <= to - 7 * AUDIT_EVERY_MS]).toEqual([true, true]);
    expect((await closed.row()).toldSince).toEqual(since);
  });
});
