import { z } from 'zod';
import type { CreateEndpoint } from '../../domain/webhooks/endpoint.ts';
import { IdRow } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { deleteEndpoint, DISABLED_BY_ITSELF, lockEndpoint, rotateSecret, updateEndpoint } from './endpoint-change.ts';
import { insertEndpointHistory } from './endpoint-history.ts';
import type { Actor } from './endpoint-history.ts';
import { changeEndpointStatus } from './endpoint-state.ts';
import { insertEndpoint } from './endpoint.ts';

/** Bounds a session's endpoints, so that one customer's tool does not use up what the agency may have. */
const MAX_OF_SESSION = 10;
/** Builders try a workflow over and over, and each try makes an endpoint and deletes it. */
const MAX_DELETED_A_DAY = 200;
const OVERLAP_HOURS = 24;

/** A session and its tenant, to whom its endpoints belong. */
interface SessionOfTenant {
  id: string;
  agencyId: string;
  tenantId: string;
}

interface Wanted {
  url: string;
  events: NonNullable<CreateEndpoint['events']>;
  description?: string | null | undefined;
  secret: string;
}

type PutEndpoint =
  { outcome: 'made' | 'changed'; id: string } | { outcome: 'refused'; why: 'too_many' | 'too_many_deleted' };

const CountsRow = z.object({ live: z.int(), deleted: z.int() });

/**
 * Has the session's events posted to the URL. Within a session each URL is one endpoint. A second call changes it,
 * gives it the secret, and resumes it if the engine had disabled it. One that a person has paused stays so.
 */
export async function putSessionEndpoint(
  tx: Tx,
  session: SessionOfTenant,
  wanted: Wanted,
  by: Actor,
): Promise<PutEndpoint> {
  // Two calls at the same time would make two endpoints.
  await run(tx)`select 1 from session where id = ${session.id} for no key update`;
  const { url, events, description, secret } = wanted;
  const known = await row(tx, IdRow)`
    select id from endpoint where session_id = ${session.id} and url = ${url} and deleted_at is null order by id`;
  const endpoint = known && (await lockEndpoint(tx, session.agencyId, known.id));
  if (endpoint) {
    await updateEndpoint(tx, endpoint, { events, description }, by);
    await rotateSecret(tx, endpoint, { secret, overlapHours: OVERLAP_HOURS }, by);
    if (endpoint.status === 'disabled' && DISABLED_BY_ITSELF.includes(endpoint.disabledReason ?? '')) {
      await changeEndpointStatus(tx, endpoint.id, 'active', { ...by, reason: 'It was requested again.' });
    }
    return { outcome: 'changed', id: endpoint.id };
  }
  const counts = await row(tx, CountsRow)`
    select count(*) filter (where deleted_at is null)::int as live,
      count(*) filter (where deleted_at > ${tx.now}::timestamptz - interval '1 day')::int as deleted
    from endpoint where session_id = ${session.id}`;
  if ((counts?.live ?? 0) >= MAX_OF_SESSION) return { outcome: 'refused', why: 'too_many' };
  if ((counts?.deleted ?? 0) >= MAX_DELETED_A_DAY) return { outcome: 'refused', why: 'too_many_deleted' };
  const { agencyId, tenantId, id: sessionId } = session;
  const of = { agencyId, sessionId, tenantIds: [tenantId] };
  const id = await insertEndpoint(tx, { ...of, source: 'api', url, events, description, secret });
  await insertEndpointHistory(tx, id, { action: 'create', by });
  return { outcome: 'made', id };
}

/** Deletes one endpoint of the session; false when the session has none with that id. */
export async function deleteSessionEndpoint(tx: Tx, session: SessionOfTenant, id: string, by: Actor): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, session.agencyId, id);
  if (endpoint?.sessionId !== session.id) return false;
  await deleteEndpoint(tx, id, by);
  return true;
}

/** Deletes all endpoints of a session that is gone. */
export async function deleteEndpointsOf(tx: Tx, sessionId: string): Promise<void> {
  const found = await rows(tx, IdRow)`
    select id from endpoint where session_id = ${sessionId} and deleted_at is null order by id for no key update`;
  for (const { id } of found) {
    await deleteEndpoint(tx, id, { actor: 'engine', reason: 'Its session was deleted.', keyId: null });
  }
}
