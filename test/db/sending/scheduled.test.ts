import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { queueScheduled } from '../../../db/sending/scheduled.ts';
import { among, findRows, toldPayloads } from '../../support/rows.ts';
import { aPacedSession } from './a-paced-session.ts';
import type { PacedSession } from './a-paced-session.ts';
import { aDatabase } from '../a-database.ts';
import { stepped } from './stepped.ts';

describe('scheduled messages', () => {
  let database: Database;
  let session: PacedSession;

  beforeEach(async () => {
    database = await aDatabase();
    session = await aPacedSession(database, {});
  });
  afterEach(() => database.close());

  const inMinutes = (minutes: number) => new Date(session.now.getTime() + minutes * 60_000);
  const queue = () => session.at((tx) => queueScheduled(tx));
  const states = () =>
    findRows(database, 'message', {}, { body: 'body', status: 'status', seq: 'chatSeq' }, ['chatSeq', 'body']);

  it('take their place in the queue when they are due, after what was sent meanwhile', async () => {
    await session.send(1, 'later', { sendAt: inMinutes(10) });
    await session.send(1, 'sooner', { sendAt: inMinutes(5) });
    await session.send(1, 'now');
    expect(await queue()).toEqual({ nextAt: inMinutes(5), isBusy: false });
    session.pass(5 * 60);
    expect((await queue()).nextAt).toEqual(inMinutes(5));
    expect(await states()).toEqual([
      { body: 'now', status: 'queued', seq: '1' },
      { body: 'sooner', status: 'queued', seq: '2' },
      { body: 'later', status: 'scheduled', seq: null },
    ]);
    expect(await session.released()).toEqual(['now']);
  });

  it('are released after a downtime in the order of their times, and those that have expired fail', async () => {
    await session.send(1, 'second', { sendAt: inMinutes(10) });
    await session.send(1, 'first', { sendAt: inMinutes(5) });
    await session.send(1, 'worthless', { sendAt: inMinutes(6), expires: { at: inMinutes(20) } });
    session.pass(3_600);
    expect((await queue()).nextAt).toBeNull();
    expect(await states()).toEqual([
      { body: 'first', status: 'queued', seq: '1' },
      { body: 'second', status: 'queued', seq: '2' },
      { body: 'worthless', status: 'failed', seq: null },
    ]);
    expect(await session.released()).toEqual(['first']);
    expect(
      await findRows(
        database,
        'messageHistory',
        { messageId: among('message', { body: 'worthless' }) },
        ['status', 'reason'],
        'id',
      ),
    ).toEqual([
      { status: 'scheduled', reason: null },
      { status: 'failed', reason: 'expired' },
    ]);
    expect(await toldPayloads(database, { type: 'message.ack' })).toEqual([
      expect.objectContaining({ status: 'failed', reason: 'expired' }),
    ]);
  });

  it('wait for whoever is at their conversation, and never for long', async () => {
    const { conversationId } = await session.send(1, 'due', { sendAt: inMinutes(5) });
    session.pass(600);
    const other = stepped(database, (tx) =>
      sql`select 1 from conversation where id = ${conversationId} for no key update`.execute(tx.sql),
    );
    await other.step();
    await other.step();
    expect((await queue()).isBusy).toBe(true);
    await other.step();
    await other.result;
    expect((await queue()).isBusy).toBe(false);
    expect(await session.released()).toEqual(['due']);
  });
});
