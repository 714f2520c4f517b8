import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { changeRows, deleteRows, rowsOf } from '../../support/rows.ts';
import { atEachStep, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';

const { database, sessionId } = await databaseOfThisFile();
const happenings = happeningsOf(database, sessionId);

/** Old messages and young ones of a conversation. */
const fill = (conversationId: string, old: number) =>
  rowsOf(
    database,
    sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
        body, occurred_at, created_at, status)
      select 'msg_' || id || n, agency_id, tenant_id, session_id, id, contact_id, 'in', 'network', 'text',
        case when n > ${old} then 'young' else 'old' end,
        now() - case when n > ${old} then interval '1 hour' else interval '3 days' end, now(), 'received'
      from conversation, generate_series(1, ${old + 2}::int) n where id = ${conversationId}`,
  );

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
        const [sweep] = await rowsOf<object>(
          database,
          sql`select ended_at is not null as ended, after_id as after from retention_sweep`,
        );
        expect([at, sweep]).toEqual([at, { ended: true, after: '' }]);
        const taken = steps.taken;
        await looks();
        const left = await rowsOf<object>(
          database,
          sql`select body, count(*)::int as count from message group by 1 order by 1`,
        );
        expect([at, left]).toEqual([at, [{ body: 'young', count: before ? 2 : 4 }]]);
        expect(taken).toBeGreaterThan(1);
        return steps;
      });
      await database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: null }));
    });
});
