import { z } from 'zod';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { BACKEND_LOST } from '../../domain/sessions/session-error.ts';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { isRefused } from './session.ts';

/** The webhook that a process gives to sessions at the backend. */
export interface SessionWebhook {
  url: string;
  secret: string;
  events: readonly string[];
  /** The start of the process. While two processes differ, the sessions get what the younger one says. */
  since: Date;
}

/**
 * Says whose webhook a session has: `ours` is that of this process or of one like it, `outdated` is none or that of an
 * older process. `newer` is that of a younger process, which this process leaves as it is: otherwise the two would
 * replace each other's in turns during a deploy, and each replacement restarts the session.
 */
const State = z.object({ state: z.enum(['ours', 'outdated', 'newer']) });

/** Makes a digest of the webhook, by which a process sees that a session has another one. */
function digestOf({ secrets }: Pick<Queries, 'secrets'>, webhook: SessionWebhook): string {
  return secrets.digest(textOf(webhook)).toString('hex');
}

/**
 * The digests of the webhook that say it is the same: a session is not restarted because the engine's key is replaced.
 */
function digestsOf({ secrets }: Pick<Queries, 'secrets'>, webhook: SessionWebhook): string[] {
  return secrets.digests(textOf(webhook)).map((digest) => digest.toString('hex'));
}

function textOf({ url, secret, events }: SessionWebhook): string {
  return JSON.stringify([url, secret, events]);
}

export async function readWebhookState(
  queries: Queries,
  sessionId: string,
  webhook: SessionWebhook,
): Promise<z.output<typeof State>['state']> {
  const found = await row(queries, State)`
    select case when webhook_digest = any(${digestsOf(queries, webhook)}::text[]) then 'ours'
      when webhook_since > ${webhook.since} then 'newer' else 'outdated' end as state
    from session where id = ${sessionId}`;
  return found?.state ?? 'outdated';
}

/**
 * Records that the supervisor has looked, so that the reconcile leaves the session alone, and what it has given. The
 * backend no longer refuses, and no longer lacks, a session that the supervisor has seen.
 */
export async function recordLook(tx: Tx, sessionId: string, given: SessionWebhook | null): Promise<void> {
  const isOver = sql`(${isRefused(sql`last_error`)} or last_error = ${BACKEND_LOST})`;
  const lastError = sql`case when ${isOver} then null else last_error end`;
  if (given === null) {
    await run(tx)`update session set supervised_at = ${tx.now}, last_error = ${lastError} where id = ${sessionId}`;
    return;
  }
  const digest = digestOf(tx, given);
  await run(tx)`
    update session set supervised_at = ${tx.now}, last_error = ${lastError}, webhook_digest = ${digest},
      webhook_since = case when webhook_digest = any(${digestsOf(tx, given)}::text[]) then webhook_since
        else ${given.since}::timestamptz end
    where id = ${sessionId}`;
}

/** An SQL condition on `mine`, a session: an older process has given it another webhook than this process would. */
export function lacksWebhook(queries: Pick<Queries, 'secrets'>, webhook: SessionWebhook): RawBuilder<unknown> {
  return sql`(mine.webhook_digest <> all(${digestsOf(queries, webhook)}::text[])
    and mine.webhook_since < ${webhook.since})`;
}
