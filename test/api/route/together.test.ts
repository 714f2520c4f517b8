import { describe, expect, it } from '@jest/globals';
import { acceptTogether } from '../../../api/sending/send-and-answer.ts';
import { acceptSends } from '../../../db/sending/accept.ts';
import type { ScopedSend } from '../../../db/sending/accept.ts';
import { Together } from '../../../api/route/together.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows, findRows, like, lockRows } from '../../support/rows.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { stepped } from '../../db/sending/stepped.ts';

const { database, sessionId } = await databaseOfThisFile();

/** A request to one of a few people. */
function aSend(person: number, body = `to ${person}`): ScopedSend {
  return {
    scope: { ...SCOPE, sessionId },
    send: {
      recipient: { chatId: `1555${String(4_500_000 + person)}@c.us` },
      parts: [{ kind: 'text', body }],
      origin: 'api',
      expires: { afterMs: 60_000 },
    },
  };
}

describe('requests that come at the same time', () => {
  it('share statements, each with its own answer', async () => {
    const sizes: number[] = [];
    const accepting = new Together(database, {
      forAll: (tx, inputs: readonly ScopedSend[]) => {
        sizes.push(inputs.length);
        return acceptSends(tx, inputs);
      },
      lengthOf: () => 1,
    });
    const people = Array.from({ length: 40 }, (_, index) => 100 + (index % 20));
    const outcomes = await Promise.all(people.map((person) => accepting.run(aSend(person))));
    expect(sizes.length).toBeLessThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(people.length);
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome).toMatchObject({ outcome: 'accepted', chatId: `1555${String(4_500_100 + (index % 20))}@c.us` });
    }
    // Two of one conversation have two places in its queue.
    const said = await findRows(
      database,
      'message',
      { body: like('to 1__') },
      ['conversationId', 'chatSeq'],
      'chatSeq',
    );
    const places = Map.groupBy(said, ({ conversationId }) => conversationId);
    expect([...places.values()].map((of) => of.map(({ chatSeq }) => chatSeq))).toEqual(
      Array.from({ length: 20 }, () => ['1', '2']),
    );
  });

  it('fail each for itself: one that the database refuses does not fail the others', async () => {
    const accepting = acceptTogether(database);
    const nul = '\u0000';
    const [before, odd, after] = await Promise.allSettled([
      accepting.run(aSend(201)),
      accepting.run(aSend(202, `${nul} is no text for PostgreSQL`)),
      accepting.run(aSend(203)),
    ]);
    expect([before.status, odd.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await countRows(database, 'message', { body: ['to 201', 'to 203'] })).toBe(2);
  });

  it('do not wait for one whose conversation somebody holds', async () => {
    const accepting = acceptTogether(database);
    await accepting.run(aSend(301, 'first'));
    const holder = stepped(database, (tx) => lockRows(tx, 'conversation', { chatId: '15554500301@c.us' }));
    await holder.step();
    await holder.step();
    let isAnswered = false;
    const waits = accepting.run(aSend(301, 'waits')).finally(() => {
      isAnswered = true;
    });
    const others = await Promise.all([302, 303].map((person) => accepting.run(aSend(person))));
    expect(others.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
    expect(isAnswered).toBe(false);
    while (!holder.over) await holder.step();
    expect(await waits).toMatchObject({ outcome: 'accepted' });
    await eventually(async () => (await countRows(database, 'message', { body: 'waits' })) === 1);
  });

  it('that meet a database which is gone are not repeated, because they may have had their effect', async () => {
    let statements = 0;
    const accepting = new Together(
      {
        statement: () => {
          statements += 1;
          return Promise.reject(new Error('the connection broke'));
        },
      },
      { forAll: acceptSends, lengthOf: () => 1 },
    );
    const settled = await Promise.allSettled([accepting.run(aSend(401)), accepting.run(aSend(402))]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(statements).toBe(1);
  });
});
