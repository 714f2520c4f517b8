import { it } from '@jest/globals';
import { sql } from 'kysely';
import { listAttempts, listDeliveries } from '../../db/delivery-list.ts';
import { listEvents, pullEvents, findEvent } from '../../db/event-list.ts';
import { listEndpoints } from '../../db/endpoint-view.ts';
import { listEndpointsToNote } from '../../db/notices.ts';
import { replayEvents } from '../../db/replay.ts';
import { aDatabase, aWorkingSession } from './a-database.ts';
it('plans', async () => {
  const db = await aDatabase();
  const session = await aWorkingSession(db);
  await db.read((q) => sql`
    insert into event (id, agency_id, tenant_id, session_id, conversation_id, sequence, type, body, created_at, txid)
    select 'evt_' || lpad(n::text, 12, '0'), case when n % 10 = 0 then 'a1' else 'z' || n % 7 end, 't' || n % 50, ${session}, 'cnv_' || n % 1000, n, case n % 500 when 1 then 'session.status' else 'message' end, repeat('x', 800), now() - (400000 - n) * interval '2 seconds', (n::text)::xid8
    from generate_series(1, 400000) n where now() - (400000 - n) * interval '2 seconds' > current_date - 11`.execute(q.sql));
  const t0 = await db.read((q) => sql<{n: number}>`select count(*)::int n from event`.execute(q.sql));
  await db.read((q) => sql`insert into endpoint (id, agency_id, url, secret, events, ordering) select 'whe_x' || n, 'a1', 'http://h/' || n, '\\x00', '{message}', case n when 0 then 'fifo' else 'conversation' end from generate_series(0, 99) n`.execute(q.sql));
  await db.read((q) => sql`insert into endpoint_health (endpoint_id) select id from endpoint on conflict do nothing`.execute(q.sql));
  await db.read((q) => sql`
    insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, ready, status, next_attempt_at, done_at)
    select 'whe_x' || n % 100, 'a1', e.tenant_id, e.id, e.created_at, case when n % 100 = 0 then '' else e.conversation_id end, n = 100, case when n % 100 = 0 then 'pending' when n % 997 = 0 then 'failed' else 'delivered' end, now(), case when n % 100 = 0 then null else now() end
    from (select *, row_number() over () n from event) e`.execute(q.sql));
  await db.read((q) => sql`insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, class, duration_ms) select id, endpoint_id, event_id, 1, 'delivered', 5 from delivery`.execute(q.sql));
  await db.read((q) => sql`analyze`.execute(q.sql));
  const reach = { agencyId: 'a1', tenantId: null, sessionId: null };
  const tenant = { ...reach, tenantId: 't10' };
  const own = { ...tenant, sessionId: session };
  const none = { type: null, sessionId: null, conversationId: null, since: null, until: null };
  const dnone = { endpointId: null, eventId: null, status: null, since: null, until: null };
  const anone = { endpointId: null, deliveryId: null, eventId: null, class: null, since: null, until: null };
  const time = async (what: string, work: () => Promise<unknown>) => {
    await work(); const s = performance.now(); const r = await work(); 
    console.log(what, (performance.now() - s).toFixed(1), 'ms', Array.isArray(r) ? r.length : JSON.stringify(r)?.slice(0, 80));
  };
  console.log(JSON.stringify(t0.rows));
  await time('list conv', () => db.read((q) => listEvents(q, reach, { ...none, conversationId: 'cnv_10' }, { before: null, limit: 21 })));
  await time('deliveries own', () => db.read((q) => listDeliveries(q, own, dnone, { before: null, limit: 21 })));
  await time('dry failed', () => replayEvents(db, { endpointId: 'whe_x1', since: new Date(0), until: null, only: 'failed', dryRun: true }, { actor: 'x', reason: null, keyId: null }));
  await time('dry all', () => replayEvents(db, { endpointId: 'whe_x1', since: new Date(0), until: null, only: 'all', dryRun: true }, { actor: 'x', reason: null, keyId: null }));
  await db.read((q) => sql`update endpoint set status='paused' where id <> 'whe_x1'`.execute(q.sql));
  const s = performance.now();
  const r = await replayEvents(db, { endpointId: 'whe_x1', since: new Date(0), until: null, only: 'all', dryRun: false }, { actor: 'x', reason: null, keyId: null });
  console.log('replay all', r, (performance.now() - s).toFixed(0), 'ms');
  const { insertEvents } = await import('../../db/event.ts');
  const { EVENT_CATALOGUE } = await import('../../domain/event-catalogue.ts');
  await db.read((q) => sql`update endpoint set deleted_at = now() where id not in ('whe_x0', 'whe_x1')`.execute(q.sql));
  for (let n = 0; n < 3; n += 1) {
    const s2 = performance.now();
    await db.transaction((tx) => insertEvents(tx, [{ ...EVENT_CATALOGUE.message.example, agencyId: 'a1', tenantId: 't1', sessionId: session, conversationId: 'cnv_10' } as never]));
    console.log('insert with fifo backlog', (performance.now() - s2).toFixed(1));
  }
  await db.close();
}, 120_000);
