import { sql } from 'kysely';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';
import { insertEndpoint } from '../../db/webhooks/endpoint.ts';
import { run } from '../../db/engine/rows.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { ENCRYPTION_KEY } from './machine.ts';
import { markOf } from './receivers.ts';

const AGENCY = 'bench';
/** The agency of the tenants with indexes below zero. */
const ABUSER = 'abuser';
const SECRET = 'bench-webhook-secret-0123456789-0123456789';
const CONVERSATIONS = 100;
const ROWS_AT_ONCE = 50_000;

const tenantOf = (index: number): string => `shop-${index}`;
/** From this index on, a tenant is the only one of an agency of its own. */
const ALONE = 1_000_000;
export const agencyOf = (index: number): string =>
  index < 0 ? ABUSER : index < ALONE ? AGENCY : `${AGENCY}-${index - ALONE}`;
const sessionOf = (index: number): string => `ses_bench_${index}`;

export async function openDatabase(url: string, poolSize: number): Promise<Database> {
  return connectDatabase({
    url,
    directUrl: url,
    encryptionKey: ENCRYPTION_KEY,
    webhooks: { publicUrl: 'http://127.0.0.1', timeoutMs: 15_000 },
    poolSize,
    applicationName: 'bench',
    onError: (error) => console.error(error),
  });
}

/**
 * Inserts tenants of one agency, each with a session and the endpoints of the given URLs, and those of an agency that
 * misbehaves, whose indexes are -1, -2 and so on. Returns the endpoints' ids.
 */
export async function layGround(
  database: Database,
  urlsOfTenants: readonly (readonly string[])[],
  abusers: readonly (readonly string[])[] = [],
): Promise<string[]> {
  return database.transaction(async (tx) => {
    await insertTenants(tx, AGENCY, { from: 0, to: urlsOfTenants.length - 1 });
    if (abusers.length > 0) await insertTenants(tx, ABUSER, { from: -abusers.length, to: -1 });
    const ids: string[] = [];
    const all = [
      ...urlsOfTenants.map((urls, index) => ({ index, urls })),
      ...abusers.map((urls, index) => ({ index: -1 - index, urls })),
    ];
    for (const { index, urls } of all) {
      const tenantIds = [tenantOf(index)];
      for (const url of urls) {
        const endpoint = { agencyId: agencyOf(index), tenantIds, url, secret: SECRET, events: ['message'] };
        ids.push(await insertEndpoint(tx, { ...endpoint, source: 'api' }));
      }
    }
    return ids;
  });
}

/** Inserts so many agencies of one tenant each, without endpoints, and returns the indexes of the tenants. */
export async function layAgencies(database: Database, count: number): Promise<number[]> {
  const tenants = Array.from({ length: count }, (_, number) => ALONE + number);
  await database.transaction(async (tx) => {
    for (const index of tenants) await insertTenants(tx, agencyOf(index), { from: index, to: index });
  });
  return tenants;
}

/**
 * Inserts tenants and their sessions without workflows, because a bench of webhooks connects no account. The sessions are
 * at a server that the engine does not have: at its own one, each look at its list would miss them and start supervisors.
 */
async function insertTenants(tx: Tx, agencyId: string, { from, to }: { from: number; to: number }): Promise<void> {
  const tenants = sql`(select 'shop-' || n as tenant_id, 'ses_bench_' || n as session_id
    from generate_series(${from}::int, ${to}::int) n) t`;
  await run(tx)`
    insert into agency (id, dashboard_name, status) values (${agencyId}, 'Bench', 'active')`;
  await run(tx)`insert into tenant (agency_id, id) select ${agencyId}, t.tenant_id from ${tenants}`;
  await run(tx)`insert into session (id, agency_id, tenant_id, name, backend, is_default, supervised_at)
    select t.session_id, ${agencyId}, t.tenant_id, t.session_id, 'nowhere', true, 'infinity' from ${tenants}`;
  await run(tx)`insert into session_sequence (session_id) select t.session_id from ${tenants}`;
}

/** Emits the event of a tenant's inbound message as the engine does; `index` numbers the events of the bench. */
export function emitMessage(tx: Tx, tenant: number, index: number): void {
  const conversationId = `cnv_bench_${tenant}_${index % CONVERSATIONS}`;
  tx.emit({
    agencyId: agencyOf(tenant),
    tenantId: tenantOf(tenant),
    sessionId: sessionOf(tenant),
    conversationId,
    event: 'message',
    payload: {
      body: `${markOf(index)} Good evening, do you still have a table for two at eight?`,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
      from: '15552001000',
      fromKind: 'phone',
      messageId: `msg_bench_${index}`,
      conversationId,
      contactId: `ctc_bench_${index % CONVERSATIONS}`,
      chatId: '15552001000@c.us',
      pushName: 'Bench',
      kind: 'text',
      hasMedia: false,
      media: null,
      mediaUrl: null,
      replyTo: null,
      selected: null,
    },
  });
}

/**
 * Writes pending events of a tenant for each endpoint, from `firstTenant` on, about ten for each conversation, numbered
 * from `first` on. They are written before the clock starts, so that only the delivery is measured.
 */
export async function fillPending(
  database: Database,
  endpointIds: readonly string[],
  { count, firstTenant = 0, first = 0 }: { count: number; firstTenant?: number; first?: number },
): Promise<void> {
  const tenants = endpointIds.length;
  const lanes = Math.max(10, Math.ceil(count / tenants / 10));
  for (let from = first; from < first + count; from += ROWS_AT_ONCE) {
    const to = Math.min(first + count, from + ROWS_AT_ONCE);
    await database.transaction(async (tx) => {
      await run(tx)`
        with filled as (
          select n, ${firstTenant}::int + n % ${tenants}::int as tenant,
            'cnv_bench_' || ${firstTenant}::int + n % ${tenants}::int || '_' || n / ${tenants}::int % ${lanes}::int as lane,
            'evt_bench_' || lpad(n::text, 8, '0') as id, (n - ${first}::int) / ${tenants}::int < ${lanes}::int as ready
          from generate_series(${from}::int, ${to}::int - 1) n
        ), stored as (
          insert into event (id, agency_id, tenant_id, session_id, conversation_id, sequence, type, body, created_at)
          select id, ${AGENCY}, 'shop-' || tenant, 'ses_bench_' || tenant, lane, n, 'message', jsonb_build_object('event', 'message',
            'payload', jsonb_build_object('body', 'bench ' || n || '. Good evening, do you still have a table for two at eight?',
              'timestamp', 1790000000, 'from', '15552001000', 'fromKind', 'phone', 'messageId', 'msg_bench_' || n, 'conversationId', lane,
              'contactId', 'ctc_bench_1', 'chatId', '15552001000@c.us', 'pushName', 'Bench', 'kind', 'text', 'hasMedia', false),
            'metadata', jsonb_build_object('agencyId', ${AGENCY}::text, 'tenantId', 'shop-' || tenant, 'eventId', id, 'sequence', n,
              'sessionId', 'ses_bench_' || tenant, 'conversationId', lane, 'occurredAt', ${tx.now}::text))::text, ${tx.now}
          from filled
        )
        insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, ready, next_attempt_at)
        select (${endpointIds}::text[])[tenant - ${firstTenant}::int + 1], ${AGENCY}, 'shop-' || tenant, id, ${tx.now}, lane, ready, ${tx.now}
        from filled order by n`;
      if (to === first + count) for (const id of endpointIds) tx.wake('delivery', id);
    });
  }
}
