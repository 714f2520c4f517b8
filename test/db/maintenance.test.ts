import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import { createCleanUp, failLostDeliveries } from '../../db/maintenance.ts';
import {
  above,
  addRow,
  ago,
  changeRows,
  countOf,
  countRows,
  databaseNow,
  deleteRows,
  findRow,
  findRows,
  fromNow,
  json,
  maintainPartitionsAt,
  not,
  rowsOf,
} from '../support/rows.ts';
import { aConversationWithAiMessages, aDatabase, aWorkingSession, SCOPE } from './a-database.ts';

describe('the clean-up', () => {
  let database: Database;
  let sessionId: string;

  beforeEach(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
  });
  afterEach(() => database.close());

  const partitions = sql`pg_inherits i join pg_class c on c.oid = i.inhparent where c.relkind = 'p'`;
  const theEndpoint = () => findRow(database, 'endpoint', {}, { endpointId: 'id', agencyId: 'agencyId' });
  const clean = () => createCleanUp(database)();

  it('makes the coming partitions and drops the old while their tables are in use, in any number of processes', async () => {
    const before = await countOf(database, partitions);
    await database.transaction(async (tx) => {
      // Somebody is at all of them: nothing that is made may wait for that, and what is dropped gives way.
      await addRow(tx, 'backendEvent', { sessionName: 's', requestKey: 'k', body: '{}' });
      await sql`select 1 from event, message_history, delivery_attempt, request_log`.execute(tx.sql);
      await Promise.all([1, 2, 3].map(() => maintainPartitionsAt(database, 20)));
    });
    const made = await countOf(database, partitions);
    expect(made).toBeGreaterThan(before);
    await maintainPartitionsAt(database, 20);
    expect(await countOf(database, partitions)).toBe(made - 1);
    await addRow(database, 'backendEvent', {
      sessionName: 's',
      requestKey: 'k',
      body: '{}',
      receivedOn: fromNow({ days: 20 }),
    });
    await addRow(database, 'messageHistory', { messageId: 'm', at: fromNow({ days: 20 }), status: 'sent' });
    expect(await findRows(database, 'messageHistory', { messageId: 'm', id: above(0) })).toHaveLength(1);
  });

  it('ends deliveries whose event is gone and lets those behind them go', async () => {
    const endpoint = await theEndpoint();
    const deliver = (lane: string, eventId: string, daysOld: number, ready: boolean) =>
      addRow(database, 'delivery', {
        ...endpoint,
        tenantId: SCOPE.tenantId,
        eventId,
        eventCreatedAt: ago({ days: daysOld }),
        lane,
        ready,
        nextAttemptAt: databaseNow,
      });
    await deliver('dead', 'd1', 60, true);
    await deliver('dead', 'd2', 59, false);
    await deliver('dead', 'd3', 58, false);
    await deliver('mixed', 'm1', 60, true);
    await deliver('mixed', 'm2', 59, false);
    await deliver('mixed', 'm3', 1, false);
    await deliver('young', 'y1', 1, true);
    const rounds = [];
    do rounds.push(await database.transaction((tx) => failLostDeliveries(tx, 1_000)));
    while (rounds.at(-1) !== 0);
    expect(rounds).toEqual([5, 0]);
    expect(
      await findRows(database, 'delivery', {}, { id: 'eventId', status: 'status', class: 'lastClass' }, 'eventId'),
    ).toEqual([
      { id: 'd1', status: 'failed', class: 'expired' },
      { id: 'd2', status: 'failed', class: 'expired' },
      { id: 'd3', status: 'failed', class: 'expired' },
      { id: 'm1', status: 'failed', class: 'expired' },
      { id: 'm2', status: 'failed', class: 'expired' },
      { id: 'm3', status: 'pending', class: null },
      { id: 'y1', status: 'pending', class: null },
    ]);
  });

  it('ends a lane of 100,000 deliveries whose events are gone in parts, and lets what is left of it go', async () => {
    await rowsOf(
      database,
      sql<object>`insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, ready, next_attempt_at, place)
        select id, agency_id, 't1', 'e' || n, now() - case when n <= 100000 then interval '60 days' else interval '1 day' end, 'all', n = 1, now(), n
        from endpoint, generate_series(1, 100001) n`,
    );
    let before = 0;
    for (let ended = -1; ended !== 0;) {
      ended = await database.transaction((tx) => failLostDeliveries(tx, 10_000));
      const after = await countRows(database, 'delivery', { status: 'failed' });
      expect(after - before).toBe(ended);
      expect(ended).toBeLessThanOrEqual(10_000);
      before = after;
    }
    expect(before).toBe(100_000);
    expect(await findRows(database, 'delivery', { status: 'pending' }, ['eventId'])).toEqual([{ eventId: 'e100001' }]);
  });

  it('forgets an endpoint that was deleted long ago, once nothing leads to it, with its notices', async () => {
    const keep = async (id: string, days: number): Promise<void> => {
      const { agencyId } = SCOPE;
      await addRow(database, 'endpoint', {
        id,
        agencyId,
        url: 'http://127.0.0.1:9/',
        secret: Buffer.alloc(0),
        events: ['message'],
        deletedAt: ago({ days }),
      });
      await addRow(database, 'endpointHealth', { endpointId: id });
      await addRow(database, 'endpointDrain', { endpointId: id });
      await addRow(database, 'endpointNotice', {
        id: `ntc_${id}`,
        agencyId,
        endpointId: id,
        type: 'endpoint.failing',
        detail: json({}),
        at: ago({ days }),
      });
      await addRow(database, 'endpointHistory', { endpointId: id, at: databaseNow, action: 'delete' });
    };
    await keep('whe_old', 91);
    await keep('whe_new', 89);
    await clean();
    expect(await findRows(database, 'endpoint', { deletedAt: not(null) }, ['id'])).toEqual([{ id: 'whe_new' }]);
    expect(await findRows(database, 'endpointNotice', {}, { id: 'endpointId' })).toEqual([{ id: 'whe_new' }]);
  });

  it('forgets finished deliveries, parked dispatches and ended turns after ninety days, and nothing that counts', async () => {
    const endpoint = await theEndpoint();
    for (const days of [91, 89, null]) {
      const endedAt = days === null ? null : ago({ days });
      await addRow(database, 'delivery', {
        ...endpoint,
        tenantId: SCOPE.tenantId,
        eventId: `e${days ?? 0}`,
        eventCreatedAt: databaseNow,
        lane: 'l',
        ready: true,
        nextAttemptAt: databaseNow,
        status: days === null ? 'pending' : 'delivered',
        doneAt: endedAt,
      });
      await addRow(database, 'dispatch', {
        workflowType: 'x',
        workflowId: `x/${days ?? 0}`,
        action: 'start',
        agencyId: SCOPE.agencyId,
        parkedAt: endedAt,
      });
    }
    const { conversationId } = await aConversationWithAiMessages(database, sessionId);
    // In each of two conversations, the newest turn records the last answered message.
    const { conversationId: quiet } = await aConversationWithAiMessages(database, sessionId);
    await changeRows(database, 'aiTurn', { outcome: 'reply', upToAt: ago({ days: 100 }), endedAt: ago({ days: 100 }) });
    for (const talk of [conversationId, quiet]) {
      const [newest] = await findRows(database, 'aiTurn', { conversationId: talk }, ['id'], { newestFirst: 'id' });
      const ended = talk === quiet ? {} : { endedAt: databaseNow };
      await changeRows(database, 'aiTurn', { upToAt: databaseNow, ...ended }, { id: newest?.id });
    }
    await deleteRows(database, 'dispatch', { workflowType: not('x') });
    await clean();
    expect(await countRows(database, 'delivery')).toBe(2);
    expect(await countRows(database, 'dispatch')).toBe(2);
    const left = await findRows(database, 'aiTurn', {}, { id: 'conversationId' });
    expect(left.map(({ id }) => id).toSorted()).toEqual([conversationId, quiet].toSorted());
  });
});
