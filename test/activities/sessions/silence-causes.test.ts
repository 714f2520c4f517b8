import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, refuseRows } from '../../support/rows.ts';
import { ANNA, BEN, sessionsUnheard, silence } from './a-session-unheard.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const { database } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);
const now = () => database.clock.now().getTime();

describe('a session that has missed messages, beside another of its backend', () => {
  /** Returns both; the other one is told of what is written to it. */
  const aPair = async () => {
    const server = `b-${randomUUID()}`;
    const [session, other] = [await aSession(silence, server), await aSession(silence, server)];
    const otherHears = async () => other.tells(other.shows(BEN, 'hello', 0));
    return { session, otherHears, aThird: () => aSession(silence, server) };
  };

  it('is not restarted, but has them fetched, when the engine could not be reached at that time', async () => {
    const { session, otherHears, aThird } = await aPair();
    await otherHears();
    database.clock.advance(HOUR_MS);
    session.shows(ANNA, 'are you away?', 0);
    database.clock.advance(HOUR_MS);
    await otherHears();
    await session.look();
    await session.carryOut();
    expect(await session.events()).toEqual([{ type: 'message', what: 'are you away?' }]);
    expect(await session.row()).toMatchObject({ asked: null, silentSince: null, compareAt: expect.any(Date) });
    // Messages fetched before and after one of a third session do not prove that the engine was reachable.
    const third = await aThird();
    session.shows(ANNA, 'still away?', 0);
    database.clock.advance(2 * MINUTE_MS);
    third.shows(BEN, 'and you?', 0);
    database.clock.advance(4 * MINUTE_MS);
    await changeRows(database, 'session', { compareAt: new Date(now()) }, { id: session.id });
    await session.carryOut();
    expect(await session.events()).toHaveLength(2);
    database.clock.advance(2 * MINUTE_MS);
    await third.look();
    await third.carryOut();
    expect(await third.events()).toEqual([{ type: 'message', what: 'and you?' }]);
    expect(await third.row()).toMatchObject({ asked: null, silentSince: null });
    database.clock.advance(15 * MINUTE_MS);
    await session.carryOut();
    expect(await session.row()).toMatchObject({ suspect: null, asked: null, compareAt: null });
  });

  it('is restarted when the other one was heard before and after', async () => {
    const { session, otherHears } = await aPair();
    await otherHears();
    database.clock.advance(2 * MINUTE_MS);
    session.shows(ANNA, 'are you away?', 0);
    database.clock.advance(2 * MINUTE_MS);
    await otherHears();
    database.clock.advance(4 * MINUTE_MS);
    await changeRows(database, 'session', { compareAt: new Date(now()) }, { id: session.id });
    await session.look();
    await session.carryOut();
    expect(await session.row()).toMatchObject({ asked: 'restart', silentSince: expect.any(Date) });
  });
});

describe('a comparison whose attempt ends between fetching and recording', () => {
  it('is repeated: nothing is told twice, and the restart is asked for', async () => {
    const session = await aSession();
    session.shows(ANNA, 'hello?', HOUR_MS);
    await session.look();
    const mend = await refuseRows(database, 'session', { on: 'update', where: { id: session.id, asked: 'restart' } });
    try {
      await expect(session.carryOut()).rejects.toThrow();
    } finally {
      await mend();
    }
    expect(await session.row()).toMatchObject({ asked: null, silentSince: expect.any(Date) });
    const told = await session.events();
    expect(told).toEqual([
      { type: 'session.silent', what: 'messages_missed' },
      { type: 'message', what: 'hello?' },
    ]);
    await session.carryOut();
    expect(await session.events()).toEqual(told);
    expect(await session.row()).toMatchObject({ asked: 'restart', silenceRestarts: 1 });
  });
});
