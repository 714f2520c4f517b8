import { beforeAll, describe, expect, it } from '@jest/globals';
import { listAttempts } from '../../../db/webhooks/delivery-list.ts';
import type { AttemptFilter } from '../../../db/webhooks/delivery-list.ts';
import { addRows, analyzed, findRows, pagesRead, partitionsOf } from '../../support/rows.ts';
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
    const deliveries = await findRows(database, 'delivery', {}, ['id', 'endpointId', 'eventId']);
    await addRows(database, 'deliveryAttempt', deliveries.length, (n) => ({
      deliveryId: deliveries[n - 1]?.id ?? '',
      endpointId: deliveries[n - 1]?.endpointId ?? '',
      eventId: deliveries[n - 1]?.eventId ?? '',
      number: 1,
      class: n <= FAILURES ? 'timeout' : 'delivered',
      durationMs: 5,
    }));
    await analyzed(database);
    tables = ['delivery', ...(await partitionsOf(database, 'event', 'delivery_attempt'))];
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
