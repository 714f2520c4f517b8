import { sql } from 'kysely';
import { z } from 'zod';
import type { AgencyStatus } from '../../domain/tenants/dashboard.ts';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import { WHEN_SESSION_IS_BACK } from '../../domain/network/phone-questions.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import type { Database } from '../engine/database.ts';
import { IdRow } from '../engine/columns.ts';
import { promise, promiseMissing } from '../promises.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { wakeOwner } from '../webhooks/shards/shard-of.ts';
import { recordChange } from '../audit.ts';
import type { ChangedBy } from '../audit.ts';

const StatusRow = z.object({ status: z.enum(AGENCY_STATUSES), wasWorking: z.boolean() });

export interface Switched {
  status: AgencyStatus;
  hasChanged: boolean;
}

/**
 * Suspends an agency. From the commit on no claim, no reading of an endpoint and no turn goes through; the owners of
 * its endpoints and the processes that know its keys are told. Undefined when the agency is not registered.
 */
export async function suspendAgency(tx: Tx, agencyId: string, by: ChangedBy): Promise<Switched | undefined> {
  const before = await lockAgency(tx, agencyId);
  if (!before) return undefined;
  if (before.status === 'suspended') return { status: 'suspended', hasChanged: false };
  await run(tx)`
    update agency set status = 'suspended', suspended_at = ${tx.now}, suspended_reason = ${by.reason ?? null},
      updated_at = ${tx.now}
    where id = ${agencyId}`;
  await tellAll(tx, agencyId, 'suspended', by);
  return { status: 'suspended', hasChanged: true };
}

/**
 * Lets an agency go on. Its sessions' supervisors let the queues go; the owners of its endpoints read what is pending,
 * in its order; and conversations that owe a turn are looked at. Replies of the agent that are old by now expire.
 */
export async function activateAgency(tx: Tx, agencyId: string, by: ChangedBy): Promise<Switched | undefined> {
  const before = await lockAgency(tx, agencyId);
  if (!before) return undefined;
  if (before.status !== 'suspended') return { status: before.status, hasChanged: false };
  const status = before.wasWorking ? 'active' : 'registered';
  await run(tx)`
    update agency set status = ${status}, activated_at = ${tx.now}, suspended_at = null,
      suspended_reason = null, updated_at = ${tx.now}
    where id = ${agencyId}`;
  await tellAll(tx, agencyId, 'activated', by);
  await expireOldReplies(tx, agencyId);
  await askForPhonesAgain(tx, agencyId);
  await promise(tx, 'superviseSession', { which: sql`r.agency_id = ${agencyId}`, signal: 'statusChanged' });
  await promiseMissing(tx, 'aiConversation', {
    which: sql`r.agency_id = ${agencyId} and exists (
      select 1 from message m where m.conversation_id = r.id and m.awaits_turn)`,
    signal: 'messageReceived',
    movedAt: null,
    parkedForMs: 0,
  });
  return { status, hasChanged: true };
}

/**
 * Lets replies expire that the agent wrote before or during the suspension, and nobody expects any more. One that is
 * locked just now is being ended by somebody else.
 */
async function expireOldReplies(tx: Tx, agencyId: string): Promise<void> {
  await run(tx)`
    update message set expires_at = least(expires_at, ${tx.now}) where id = any(array(
      select m.id from session s join message m on m.session_id = s.id and m.status = 'queued' and m.origin = 'ai'
      where s.agency_id = ${agencyId} and m.created_at < ${new Date(tx.now.getTime() - STALE_AFTER_MS)}
      for update of m skip locked))`;
}

/** Makes the questions for phones due that were held meanwhile. */
async function askForPhonesAgain(tx: Tx, agencyId: string): Promise<void> {
  await run(tx)`
    update contact c set ask_phone_at = ${tx.now} from session s
    where s.agency_id = ${agencyId} and may_send(s.status, 'active') and c.ask_session_id = s.id
      and c.ask_phone_at = ${WHEN_SESSION_IS_BACK}`;
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

const NumberRow = z.object({ transaction: z.string() });
const InFlightRow = z.object({ isSettled: z.boolean(), inFlight: z.array(z.string()) });

/**
 * Waits until every claim that may not have seen the suspension, which has committed, is over, and for the calls of
 * those that were made. Answers the messages that may still reach the backend.
 */
export async function awaitClaimsBefore(
  database: Pick<Database, 'read' | 'transaction' | 'wakeups'>,
  agencyId: string,
): Promise<string[]> {
  const until = performance.now() + WAIT_MS;
  // A claim locks rows before it reads the agency, so each that has not seen the suspension has a number below this.
  const { transaction } = await database.transaction(
    (tx) => one(tx, NumberRow)`select pg_current_xact_id()::text as transaction`,
  );
  for (;;) {
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
    select (select count(*)::int from api_key where agency_id = ${agencyId} and key_works(id, now())) as keys,
      (select count(*)::int from session where agency_id = ${agencyId} and wish <> 'deleted') as sessions,
      ${messages('queued')} as "messagesWaiting", ${messages('scheduled')} as "messagesScheduled",
      ${messages('sending')} as "messagesInFlight",
      (select count(*)::int from (select 1 from endpoint e join delivery d on d.endpoint_id = e.id
        and d.status = 'pending' where e.agency_id = ${agencyId} and e.deleted_at is null limit ${MAX_COUNTED}) x)
        as "deliveriesPending",
      (select count(*)::int from (select distinct conversation_id from message
        where awaits_turn and agency_id = ${agencyId} limit ${MAX_COUNTED}) x) as "turnsOwed"`;
}
