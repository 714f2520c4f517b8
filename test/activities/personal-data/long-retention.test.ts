import { describe, expect, it } from '@jest/globals';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { addMessages, ago, changeRows, deleteRows, findRows } from '../../support/rows.ts';
import { atEachStep, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';

const { database, sessionId } = await databaseOfThisFile();
const happenings = happeningsOf(database, sessionId);

/** Old messages and young ones of a conversation. */
const fill = (conversationId: string, old: number) =>
  addMessages(database, conversationId, old + 2, (n) => ({
    id: `msg_${conversationId}${n}`,
    body: n > old ? 'young' : 'old',
    occurredAt: n > old ? ago({ hours: 1 }) : ago({ days: 3 }),
  }));

/**
 * Its steps: each transaction of a look at all conversations. A merge may move old messages behind the place of a look;
 * the look of the next day deletes them, so they stay for a day more at most.
 */
describe('the retention', () => {
  for (const name of HAPPENINGS)
    it(`deletes every old message and no young one by its next look, with ${name} between any two steps`, async () => {
      await database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: 2 }));
      await atEachStep(howMany({ few: 4, all: 1_000 }), async (at) => {
        await deleteRows(database, 'message');
        const { before, happens } = happenings[name] ?? never();
        const two = await twoWhoWrote(database, sessionId);
        if (before) await happenings['a merge']?.happens(two);
        await fill(two.a, 5);
        if (!before) await fill(two.b, 7);
        const steps = new Steps(at, () => happens(two));
        const looks = async (): Promise<void> => {
          await changeRows(database, 'retentionSweep', { endedAt: null, afterId: '' });
          for (let isMore = true; isMore;) {
            await steps.next();
            isMore = (await database.transaction((tx) => sweepRetention(tx, 3))) === 3;
          }
        };
        await looks();
        const [sweep] = await findRows(database, 'retentionSweep', {}, ['endedAt', 'afterId']);
        expect([at, sweep]).toEqual([at, { endedAt: expect.any(String), afterId: '' }]);
        const taken = steps.taken;
        await looks();
        const left = await findRows(database, 'message', {}, ['body']);
        expect([at, left]).toEqual([at, Array.from({ length: before ? 2 : 4 }, () => ({ body: 'young' }))]);
        expect(taken).toBeGreaterThan(1);
        return steps;
      });
      await database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: null }));
    });
});
