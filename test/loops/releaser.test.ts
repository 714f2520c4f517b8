import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../db/engine/database.ts';
import { Releaser } from '../../loops/releaser.ts';
import { eventually } from '../support/eventually.ts';
import { changeRows, countRows, databaseNow, findRows, later, not } from '../support/rows.ts';
import { aDatabase } from '../db/a-database.ts';
import { aPacedSession } from '../db/sending/a-paced-session.ts';
import type { PacedSession } from '../db/sending/a-paced-session.ts';
import { stepped } from '../db/sending/stepped.ts';

describe('the releaser', () => {
  let database: Database;
  let session: PacedSession;
  let running: Releaser[];

  beforeEach(async () => {
    database = await aDatabase();
    session = await aPacedSession(database, { pace: { perMinute: 0 } });
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((releaser) => releaser.stop()));
    await database.close();
  });

  /** As in a process of its own. */
  function start(): void {
    running.push(new Releaser(database, () => undefined).start());
  }
  const released = () => countRows(database, 'message', { releasedAt: not(null) });

  it('lets go what nobody has woken it for, and what is due later, without being asked again', async () => {
    session.set(new Date().toISOString());
    await session.send(1, 'a');
    await session.send(2, 'b');
    await changeRows(database, 'message', { readyAt: later({ seconds: 1.2 }) }, { body: 'b' });
    start();
    await eventually(async () => (await released()) === 1);
    await eventually(async () => (await released()) === 2);
  });

  it('looks at what is due while it is woken without an end', async () => {
    session.set(new Date().toISOString());
    await session.send(1, 'a');
    start();
    await eventually(async () => (await released()) === 1);
    let wakes = 0;
    // Each look at the session leads to the next wake-up of it.
    const off = database.wakeups.on('release', () => {
      wakes += 1;
      setImmediate(() => database.wakeups.wake('release', session.sessionId));
    });
    database.wakeups.wake('release', session.sessionId);
    await changeRows(
      database,
      'message',
      { status: 'scheduled', releasedAt: null, scheduledAt: databaseNow },
      { body: 'a' },
    );
    database.wakeups.wake('schedule');
    try {
      await eventually(async () => (await countRows(database, 'message', { status: 'scheduled' })) === 0);
    } finally {
      off();
    }
    expect(wakes).toBeGreaterThan(1);
  });

  it('of many processes releases each message once', async () => {
    session.set(new Date().toISOString());
    await session.change({ pace: { perMinute: 6_000, burst: 5 } });
    for (let process = 0; process < 4; process += 1) start();
    for (let n = 0; n < 40; n += 1) await session.send(n % 20, `m${n}`);
    // One for each conversation: none is sent, so none makes way, and beyond sixteen bulk waits.
    await eventually(async () => (await released()) === 16);
    expect(await countRows(database, 'dispatch', { workflowType: 'deliverMessage' })).toBe(16);
    const heads = await findRows(database, 'message', { releasedAt: not(null) }, ['conversationId']);
    expect(new Set(heads.map(({ conversationId }) => conversationId)).size).toBe(heads.length);
  });

  it('leaves a conversation alone that an accept is at, and then takes what came with it', async () => {
    await session.send(1, 'bulk');
    const accept = stepped(database, (tx) => session.accept(tx, 1, 'reply', { origin: 'person' }));
    await accept.step();
    await accept.step();
    const first = await session.release();
    expect(first.released).toBe(0);
    expect(first.nextAt?.getTime()).toBeLessThan(session.now.getTime() + 1_000);
    await accept.step();
    await accept.result;
    expect((await session.release()).released).toBe(1);
    expect(await session.released()).toEqual(['reply']);
  });
});
