import { sql } from 'kysely';
import { z } from 'zod';
import type { AgencyStatus } from '../../domain/tenants/dashboard.ts';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import type { Database } from '../database.ts';
import { IdRow } from '../columns.ts';
import { promise, promiseMissing } from '../promises.ts';
import { one, row, rows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { wakeOwner } from '../webhooks/shards/shard-of.ts';
import { recordChange } from './audit.ts';
import type { ChangedBy } from './audit.ts';

const StatusRow = z.object({ status: z.enum(AGENCY_STATUSES), wasWorking: z.boolean() });
const NumberRow = z.object({ number: z.string() });

export interface Switched {
  status: AgencyStatus;
  hasChanged: boolean;
  /** The number of the transaction that changed it; null when nothing has changed. */
  transaction: string | null;
}

/**
 * Suspends an agency. From the commit on no claim, no reading of an endpoint and no turn goes through; the owners of
 * its endpoints and the processes that know its keys are told. Undefined when the agency is not registered.
 */
export async function suspendAgency(tx: Tx, agencyId: string, by: ChangedBy): Promise<Switched | undefined> {
  const before = await lockAgency(tx, agencyId);
  if (!before) return undefined;
  if (before.status === 'suspended') return { status: 'suspended', hasChanged: false, transaction: null };
  const { number } = await one(tx, NumberRow)`
    update agency set status = 'suspended', suspended_at = ${tx.now}, suspended_reason = ${by.reason ?? null},
      updated_at = ${tx.now}
    where id = ${agencyId} returning pg_current_xact_id()::text as number`;
  await tellAll(tx, agencyId, 'suspended', by);
  return { status: 'suspended', hasChanged: true, transaction: number };
}

/**
 * Lets an agency go on. Its sessions' supervisors let the queues go; the
 * owners of its endpoints read what is pending, in its order; and conversations that owe a turn are looked at.
 */
export async function activateAgency(tx: Tx, agencyId: string, by: ChangedBy): Promise<Switched | undefined> {
  const before = await lockAgency(tx, agencyId);
  if (!before) return undefined;
  if (before.status !== 'suspended') return { status: before.status, hasChanged: false, transaction: null };
  const status = before.wasWorking ? 'active' : 'registered';
  const { number } = await one(tx, NumberRow)`
    update agency set status = ${status}, suspended_at = null, suspended_reason = null, updated_at = ${tx.now}
    where id = ${agencyId} returning pg_current_xact_id()::text as number`;
  await tellAll(tx, agencyId, 'activated', by);
  await promise(tx, 'superviseSession', { which: sql`r.agency_id = ${agencyId}`, signal: 'statusChanged' });
  await promiseMissing(tx, 'aiConversation', {
    which: sql`r.agency_id = ${agencyId} and exists (
      select 1 from message m where m.conversation_id = r.id and m.awaits_turn)`,
    signal: 'messageReceived',
    movedAt: null,
    parkedForMs: 0,
  });
  return { status, hasChanged: true, transaction: number };
}

async function lockAgency(tx: Tx, agencyId: string): Promise<z.output<typeof StatusRow> | undefined> {
  return row(tx, StatusRow)`
    select status, first_working_at is not null as "wasWorking" from agency where id = ${agencyId} for no key update`;
}

async function tellAll(tx: Tx, agencyId: string, action: 'suspended' | 'activated', by: ChangedBy): Promise<void> {
  await recordChange(tx, { of: { agencyId }, object: 'dashboard', objectId: agencyId, action }, by);
  tx.wake('agency', agencyId);
  const endpoints = await rows(tx, IdRow)`
    select id from endpoint where agency_id = ${agencyId} and deleted_at is null`;
  for (const { id } of endpoints) wakeOwner(tx, id);
}

/** A suspension waits at most this long for claims and calls that began before it. */
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

const InFlightRow = z.object({ isSettled: z.boolean(), inFlight: z.array(z.string()) });

/**
 * Waits until every claim that may not have seen the suspension is over, and for the calls of those that were made.
 * Answers the messages that may still reach the backend.
 */
export async function awaitClaimsBefore(
  database: Pick<Database, 'read' | 'wakeups'>,
  agencyId: string,
  transaction: string,
): Promise<string[]> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    // A claim reads the agency in a transaction that began before the suspension was visible, or refuses.
    const { isSettled, inFlight } = await database.read(
      (queries) => one(queries, InFlightRow)`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${transaction}::xid8 as "isSettled",
        array(select m.id from session s join message m on m.session_id = s.id and m.status = 'sending'
          where s.agency_id = ${agencyId} order by m.id) as "inFlight"`,
    );
    const restMs = until - performance.now();
    if ((isSettled && inFlight.length === 0) || restMs <= 0) return inFlight;
    await database.wakeups.wait('message', inFlight[0] ?? '', Math.min(restMs, LOOK_EVERY_MS));
  }
}

const CountsRow = z.object({
  keys: z.int(),
  sessions: z.int(),
  messagesWaiting: z.int(),
  messagesScheduled: z.int(),
  messagesInFlight: z.int(),
  deliveriesPending: z.int(),
  turnsOwed: z.int(),
});
export type SuspensionCounts = z.output<typeof CountsRow>;

/** Each count stops here, so that a look at a large agency costs no more than one at a small one. */
const MAX_COUNTED = 10_000;

/** Counts what a suspension stops, or an activation lets go. */
export async function countSuspended(queries: Parameters<typeof one>[0], agencyId: string): Promise<SuspensionCounts> {
  const messages = (status: string) => sql`
    (select count(*)::int from (select 1 from session s
      join message m on m.session_id = s.id and m.status = ${sql.lit(status)}
      where s.agency_id = ${agencyId} limit ${MAX_COUNTED}) x)`;
  return one(queries, CountsRow)`
    select (select count(*)::int from api_key where agency_id = ${agencyId} and revoked_at is null
        and (expires_at is null or expires_at > now())) as keys,
      (select count(*)::int from session where agency_id = ${agencyId}) as sessions,
      ${messages('queued')} as "messagesWaiting", ${messages('scheduled')} as "messagesScheduled",
      ${messages('sending')} as "messagesInFlight",
      (select count(*)::int from (select 1 from endpoint e join delivery d on d.endpoint_id = e.id
        and d.status = 'pending' where e.agency_id = ${agencyId} and e.deleted_at is null limit ${MAX_COUNTED}) x)
        as "deliveriesPending",
      (select count(*)::int from (select distinct conversation_id from message
        where awaits_turn and agency_id = ${agencyId} limit ${MAX_COUNTED}) x) as "turnsOwed"`;
}
