import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { listAttempts } from '../../../db/webhooks/delivery-list.ts';
import type { AttemptFilter } from '../../../db/webhooks/delivery-list.ts';
import { pagesRead, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anEndpoint, tell } from './shards/a-shard-scene.ts';

const EVENTS = 1_500;
const AT_ONCE = 500;
const FAILURES = 4;
const LIMIT = 10;
/** All attempts of the tenant with their events are thousands of pages. */
const MAX_PAGES = 200;
const ALL: AttemptFilter = {
  endpointId: null,
  deliveryId: null,
  eventId: null,
  class: null,
  since: null,
  until: null,
};

const { database, sessionId } = await databaseOfThisFile({ ownServer: true, poolSize: 1 });

const list = (filter: Partial<AttemptFilter>, reach: { tenantId: string | null } = SCOPE) =>
  database.read((queries) =>
    listAttempts(
      queries,
      { agencyId: SCOPE.agencyId, sessionId: null, ...reach },
      { ...ALL, ...filter },
      { before: null, limit: LIMIT },
    ),
  );

describe(`${FAILURES} failures among the attempts of ${EVENTS} events`, () => {
  let tables: string[] = [];

  beforeAll(async () => {
    await anEndpoint(database);
    for (let made = 0; made < EVENTS; made += AT_ONCE)
      await tell(database, sessionId, ...Array.from({ length: AT_ONCE }, (_, n) => `cnv_${made + n}`));
    await rowsOf(
      database,
      sql`insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, at, class, status, duration_ms)
        select d.id, d.endpoint_id, d.event_id, 1, now(),
          case when row_number() over (order by d.id) <= ${FAILURES} then 'timeout' else 'delivered' end, 204, 5
        from delivery d where d.agency_id = ${SCOPE.agencyId} and d.tenant_id = ${SCOPE.tenantId}`,
    );
    await rowsOf(database, sql`analyze`);
    const parts = await rowsOf(
      database,
      sql<{ name: string }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        join pg_class p on p.oid = i.inhparent where p.relname in ('event', 'delivery_attempt')`,
    );
    tables = ['delivery', ...parts.map(({ name }) => name)];
  });

  it.each([
    ['a tenant', SCOPE],
    ['an agency', { tenantId: null }],
  ])('are found for %s along their index', async (_, reach) => {
    const before = await pagesRead(database, ...tables);
    const found = await list({ class: 'timeout' }, reach);
    const pages = (await pagesRead(database, ...tables)) - before;
    expect(found).toHaveLength(FAILURES);
    expect(new Set(found.map((attempt) => attempt.class))).toEqual(new Set(['timeout']));
    const ids = found.map(({ deliveryId }) => Number(deliveryId));
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(pages).toBeLessThan(MAX_PAGES);
  });

  it('leave the lists of the others as they are', async () => {
    expect(await list({ class: 'delivered' })).toHaveLength(LIMIT);
    expect(await list({})).toHaveLength(LIMIT);
    expect(await list({ class: 'no_such_class' })).toEqual([]);
  });
});
