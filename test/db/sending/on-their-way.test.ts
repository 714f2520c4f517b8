import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../db/engine/database.ts';
import { resumeQueues } from '../../../db/sending/promote.ts';
import { activateAgency, suspendAgency } from '../../../db/tenants/suspension.ts';
import {
  addRow,
  addRows,
  changeRows,
  countRows,
  deleteRows,
  ensureRow,
  findRows,
  json,
  like,
  not,
} from '../../support/rows.ts';
import { aDatabase, SCOPE } from '../a-database.ts';
import { aPacedSession } from './a-paced-session.ts';
import type { PacedSession } from './a-paced-session.ts';

describe('a session with many messages that may go', () => {
  let database: Database;

  beforeEach(async () => {
    database = await aDatabase();
  });
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
        countRows(database, 'message', { releasedAt: not(null), status: 'queued', body: like(`${word} %`) });
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

  it("lets people's replies go before a flood of the agent's, and leaves sends of programs half of the places", async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 0 } });
    await session.meet(60);
    for (let to = 1; to <= 40; to += 1) await session.send(to, `agent ${to}`, { origin: 'ai' });
    await session.release();
    for (let to = 41; to <= 55; to += 1) await session.send(to, `program ${to}`, { origin: 'api' });
    for (let to = 56; to <= 60; to += 1) await session.send(to, `person ${to}`, { origin: 'person' });
    await session.release();
    const onTheirWay = async (word: string): Promise<number> =>
      countRows(database, 'message', { releasedAt: not(null), status: 'queued', body: like(`${word} %`) });
    expect([await onTheirWay('agent'), await onTheirWay('program'), await onTheirWay('person')]).toEqual([16, 8, 5]);
  });

  describe('beside another agency that sends', () => {
    const otherSends = async (at: Date): Promise<void> => {
      await ensureRow(database, 'agencyAtWork', { agencyId: 'another', at });
      await changeRows(database, 'agencyAtWork', { at }, { agencyId: 'another' });
    };
    const started = async (session: PacedSession): Promise<number> => {
      await session.sendAll();
      return (await session.release()).released;
    };

    it('starts one reply when the last has gone, ten a second, and a broadcast as before', async () => {
      await changeRows(database, 'paceDefault', { perMinute: 0 });
      const session = await aPacedSession(database, {});
      await session.meet(40);
      await otherSends(session.now);
      for (let to = 1; to <= 8; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
      for (let to = 21; to <= 40; to += 1) await session.send(to, `bulk ${to}`, { bulk: true });
      const went = async (): Promise<string[]> => (await session.released()).filter((body) => body.startsWith('reply'));
      expect(await went()).toEqual(['reply 1']);
      // The broadcast goes as without the other agency; the next reply waits until the first is gone.
      const { released, startsAt } = await session.release();
      expect([released, startsAt]).toEqual([15, new Date(session.now.getTime() + 100)]);
      expect(await went()).toEqual(['reply 1']);
      await session.sendAll();
      session.pass(0.1);
      await session.release();
      expect(await went()).toEqual(['reply 1', 'reply 2']);
      await session.sendAll();
      session.pass(0.05);
      await session.release();
      expect(await went()).toEqual(['reply 1', 'reply 2']);
      session.pass(0.05);
      await session.release();
      expect(await went()).toEqual(['reply 1', 'reply 2', 'reply 3']);
      // One that is not gone by now waits for something else than the machine, such as its file.
      session.pass(0.25);
      await session.release();
      expect(await went()).toEqual(['reply 1', 'reply 2', 'reply 3', 'reply 4']);
    });

    it('shares its starts among the sessions of an agency that have something due, and heeds its share', async () => {
      const session = await aPacedSession(database, { pace: { perMinute: 0 } });
      await session.meet(10);
      await otherSends(session.now);
      for (let to = 1; to <= 10; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
      await aBusySession(database, session);
      session.pass(0.1);
      expect(await started(session)).toBe(1);
      session.pass(0.1);
      expect(await started(session)).toBe(0);
      session.pass(0.1);
      expect(await started(session)).toBe(1);
      await changeRows(database, 'agency', { limits: json({ share: 4 }) });
      session.pass(0.2);
      expect(await started(session)).toBe(1);
      session.pass(0.05);
      expect(await started(session)).toBe(1);
    });

    it('starts twice as many where two workers run', async () => {
      const session = await aPacedSession(database, { pace: { perMinute: 0 } });
      await session.meet(10);
      await otherSends(session.now);
      for (let to = 1; to <= 10; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
      session.pass(0.1);
      expect(await started(session)).toBe(1);
      await addRows(database, 'deliveryWorker', 2, () => ({
        id: randomUUID(),
        process: 0,
        renewedAt: session.now,
        leasedUntil: new Date(session.now.getTime() + 3_600_000),
      }));
      // Sends that started earlier keep their own time.
      session.pass(0.1);
      expect(await started(session)).toBe(1);
      session.pass(0.05);
      expect(await started(session)).toBe(1);
      await deleteRows(database, 'deliveryWorker');
    });

    it('lets everything go again ten seconds after the other has sent last', async () => {
      const session = await aPacedSession(database, { pace: { perMinute: 0 } });
      await session.meet(20);
      await otherSends(session.now);
      for (let to = 1; to <= 20; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
      session.pass(9.9);
      expect((await session.release()).released).toBe(1);
      session.pass(0.1);
      expect((await session.release()).released).toBe(15);
    });
  });

  it('does not hold back replies for others whose files do not come', async () => {
    const session = await aPacedSession(database, { pace: { perMinute: 0 } });
    await session.meet(17);
    for (let to = 1; to <= 17; to += 1) await session.send(to, `reply ${to}`, { origin: 'person' });
    await session.release();
    await changeRows(
      database,
      'message',
      { content: json({ attachment: { url: 'https://slow.example' } }) },
      { body: like('reply %') },
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

/** Another session of the same agency, which has something due. */
async function aBusySession(database: Database, { now }: PacedSession): Promise<void> {
  const [session] = await findRows(database, 'session', {}, ['agencyId', 'tenantId', 'status']);
  if (!session) throw new Error('There is no session.');
  await addRow(database, 'session', { ...session, id: 'ses_busy', name: 'busy' });
  await addRow(database, 'sessionPace', { sessionId: 'ses_busy', releaseAt: now });
}
