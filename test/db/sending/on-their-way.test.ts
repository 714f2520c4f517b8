import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { resumeQueues } from '../../../db/sending/promote.ts';
import { activateAgency, suspendAgency } from '../../../db/tenants/suspension.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { aDatabase, SCOPE } from '../a-database.ts';
import { aPacedSession } from './a-paced-session.ts';

describe('a session with many messages that may go', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  }, 60_000);
  afterEach(() => database.close());

  it.each([
    ['without a pace', { pace: { perMinute: 0 } }],
    ['with a pace', { pace: { perMinute: 6_000, burst: 100, firstContactsPerDay: 0 } }],
  ])(
    'keeps a flood of replies as rows %s: a few are on their way, and bulk holds none of them back',
    async (_, settings) => {
      const session = await aPacedSession(database, settings);
      await session.meet(60);
      for (let to = 41; to <= 60; to += 1) await session.send(to, `bulk ${to}`);
      await session.release();
      for (let to = 1; to <= 40; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
      const onTheirWay = async (word: string): Promise<number> =>
        countOf(
          database,
          sql`message where released_at is not null and status = 'queued' and body like ${`${word} %`}`,
        );
      expect((await session.release()).nextAt?.getTime()).toBeLessThanOrEqual(session.now.getTime() + 100);
      expect([await onTheirWay('bulk'), await onTheirWay('reply')]).toEqual([16, 16]);
      const went: string[] = [];
      while (went.length < 40) {
        await session.sendAll();
        session.pass(0.1);
        await session.release();
        expect(await onTheirWay('reply')).toBeLessThanOrEqual(16);
        went.splice(0, went.length, ...(await session.released()).filter((body) => body.startsWith('reply')));
      }
      expect(went).toEqual(Array.from({ length: 40 }, (__, index) => `reply ${index + 1}`));
    },
  );

  it('does not hold back replies for others whose files do not come', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 0 } });
    await session.meet(17);
    for (let to = 1; to <= 17; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
    await session.release();
    await rowsOf(
      database,
      sql<object>`update message set content = '{"attachment": {"url": "https://slow.example"}}' where body like 'reply %'`,
    );
    session.pass(50);
    expect((await session.release()).released).toBe(0);
    session.pass(15);
    expect((await session.release()).released).toBe(1);
  });

  it('bounds what goes when a suspension ends, and keeps its order', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 0 } });
    await session.meet(40);
    const by = { keyId: 'master', reason: 'a test' };
    await session.at((tx) => suspendAgency(tx, SCOPE.agencyId, by));
    for (let to = 40; to >= 1; to -= 1) await session.send(to, `owed ${to}`, { origin: 'person' });
    await session.at((tx) => activateAgency(tx, SCOPE.agencyId, by));
    let moved = 1;
    while (moved > 0) moved = await session.at((tx) => resumeQueues(tx, session.sessionId));
    const went = async (): Promise<string[]> =>
      (await session.released()).filter((body) => body.startsWith('owed')).toSorted();
    const owed = (from: number, to: number): string[] =>
      Array.from({ length: from - to + 1 }, (_, index) => `owed ${from - index}`).toSorted();
    await session.release();
    expect(await went()).toEqual(owed(40, 25));
    await session.sendAll();
    session.pass(0.1);
    await session.release();
    expect(await went()).toEqual(owed(40, 9));
  });
});
