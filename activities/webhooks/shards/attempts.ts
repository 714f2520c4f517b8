import type { Database } from '../../../db/engine/database.ts';
import type { OutcomeRecord } from '../../../db/webhooks/shards/outcomes.ts';
import { count, observe } from '../../../domain/telemetry/meter.ts';
import { verdictOf } from '../../../domain/webhooks/retry.ts';
import type { Taken } from '../../../domain/webhooks/shards/pending.ts';
import { attemptDelivery } from '../attempt.ts';
import type { Attempt, AttemptMeans } from '../attempt.ts';
import type { Bodies } from './bodies.ts';
import type { EndpointRun } from './endpoint-run.ts';
import type { ShardStore } from './store.ts';
import { inTracedSpan, isTracing } from '../../../domain/telemetry/tracing.ts';

const NOT_POSTED: Omit<Attempt, 'class'> = {
  status: null,
  durationMs: 0,
  connectMs: null,
  firstByteMs: null,
  reused: false,
  excerpt: null,
  location: null,
  retryAfterMs: null,
};

/**
 * - `made`: an attempt was made, or could not be for a reason that is recorded.
 * - `no_body`: the event is no longer kept.
 * - `unsure`: another worker may have the shard by now, so nothing was posted.
 */
export type Made = { is: 'made'; record: OutcomeRecord } | { is: 'no_body' } | { is: 'unsure' };

export interface AttemptsOf {
  means: AttemptMeans & { database: Pick<Database, 'clock'>; store: Pick<ShardStore, 'traces'> };
  bodies: Bodies;
  /** True while no other worker can have the shard. */
  isSure: () => boolean;
}

/** Makes the attempt of a delivery. Throws only when its body cannot be read. */
export async function makeAttempt(
  { means, bodies, isSure }: AttemptsOf,
  run: EndpointRun,
  taken: Taken,
): Promise<Made> {
  const { delivery } = taken;
  const target = run.target();
  if (!target)
    return { is: 'made', record: recordOf(means, run, taken, { class: 'secret_unreadable', ...NOT_POSTED }) };
  const body = bodies.kept(delivery.eventId) ?? (await bodies.read(delivery));
  if (body === null) return { is: 'no_body' };
  if (!isSure() || run.isOver) return { is: 'unsure' };
  const { eventId, attempts } = delivery;
  const attempt = await inTraceOf(means.store, body, () => attemptDelivery(means, target, { eventId, attempts, body }));
  measure(attempt, Date.parse(delivery.eventCreatedAt), means.database.clock.now());
  return { is: 'made', record: recordOf(means, run, taken, attempt) };
}

function measure(attempt: Attempt, eventAtMs: number, now: Date): void {
  const labels = { class: attempt.class };
  count('engine_webhook_attempts_total', labels);
  observe('engine_webhook_attempt_duration_seconds', labels, attempt.durationMs / 1_000);
  if (attempt.class !== 'delivered') return;
  observe('engine_webhook_lag_seconds', {}, Math.max(0, now.getTime() - eventAtMs) / 1_000);
}

/** The record of an attempt, with what follows from it by the endpoint's ladder. */
function recordOf(
  { database }: AttemptsOf['means'],
  run: EndpointRun,
  { delivery: { id, attempts, ladderStep }, probe }: Taken,
  { retryAfterMs, durationMs, connectMs, firstByteMs, ...seen }: Attempt,
): OutcomeRecord {
  const at = { ladderStep, ladder: run.endpoint?.ladder ?? null, probe };
  return {
    ...verdictOf({ class: seen.class, retryAfterMs }, at, database.clock.now(), Math.random()),
    ...seen,
    id,
    endpointId: run.id,
    shard: run.shard,
    attempts,
    probe: probe !== null,
    durationMs: Math.round(durationMs),
    connectMs: connectMs === null ? null : Math.round(connectMs),
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
  };
}

/** An event of a message names it, also one that is too large to be posted whole. */
const MESSAGE_ID = /"messageId":"([^"]+)"/;

/** Makes the attempt in the trace of the message that the event tells of, if both are there. */
async function inTraceOf(
  store: Pick<ShardStore, 'traces'>,
  body: Buffer,
  attempt: () => Promise<Attempt>,
): Promise<Attempt> {
  if (!isTracing()) return attempt();
  const parent = await traceOf(store, body).catch(() => undefined);
  return inTracedSpan({ name: 'webhook', kind: 'client', parent }, async (span) => {
    const made = await attempt();
    if (made.status !== null) span.set('http.response.status_code', made.status);
    if (made.class !== 'delivered') span.fail(made.class);
    return made;
  });
}

async function traceOf(store: Pick<ShardStore, 'traces'>, body: Buffer): Promise<string | undefined> {
  const id = MESSAGE_ID.exec(body.toString('utf8'))?.[1];
  return id === undefined ? undefined : (await store.traces([id])).get(id);
}
