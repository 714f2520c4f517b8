import { claimDeliveries, nextDeliveryAt, recordAttempt } from '../db/delivery.ts';
import type { Claim, ClaimedDelivery } from '../db/delivery.ts';
import { endpointSecret } from '../db/endpoint.ts';
import { nextRetryDelayMs } from '../domain/retry.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createDrainLease } from './drain-lease.ts';
import { attemptDelivery } from './webhook-attempt.ts';
import type { Attempt } from './webhook-attempt.ts';

export interface Drained {
  delivered: number;
  failed: number;
  lastError: string | null;
  /** Milliseconds until there is something to do again; null when nothing is pending. */
  nextInMs: number | null;
}

/** Posts what is due to one endpoint; `alive` is called now and then. Null when somebody else is at it. */
export type Drain = (endpointId: string, alive: () => void) => Promise<Drained | null>;

/** One drain under its lease: how long it may go on, how it went so far, and what is on its way. */
interface Work {
  endpointId: string;
  token: string;
  until: number;
  drained: Drained;
  inFlight: Set<Promise<void>>;
  errors: unknown[];
}

const RENEW_EVERY_MS = 3_000;
/** Longer than the longest attempt with its record, so that a living attempt is never claimed twice. */
const DELIVERY_LEASE_MS = 60_000;
export const LINGER_MS = 2_000;
const DRAIN_FOR_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;
const SECRET_UNREADABLE: Attempt = {
  class: 'secret_unreadable',
  status: null,
  durationMs: 0,
  excerpt: null,
  retryAfterMs: null,
};

export function createDrain(deps: Pick<ActivityDependencies, 'database' | 'egress' | 'stopping'>): Drain {
  const { database, egress, stopping } = deps;

  /**
   * Until nothing is left or a minute is over. Safe to repeat: rows are leased, and a row whose worker died is posted
   * again under the same event id.
   */
  async function drain(endpointId: string, alive: () => void): Promise<Drained | null> {
    const drained: Drained = { delivered: 0, failed: 0, lastError: null, nextInMs: null };
    const lease = createDrainLease(database, endpointId);
    if (!(await lease.hold())) return null;
    const renewal = setInterval(() => {
      alive();
      lease.renew();
    }, RENEW_EVERY_MS);
    const until = Date.now() + DRAIN_FOR_MS;
    try {
      do {
        await drainUntilIdle({ endpointId, token: lease.token, until, drained, inFlight: new Set(), errors: [] });
        await lease.release();
        // A writer may have seen the lease a moment before it was cleared and woken nobody: look once more.
        drained.nextInMs = await untilNext(endpointId);
      } while (drained.nextInMs === 0 && Date.now() < until && !stopping.aborted && (await lease.hold()));
      return drained;
    } finally {
      clearInterval(renewal);
      await lease.release();
    }
  }

  async function drainUntilIdle(work: Work): Promise<void> {
    try {
      await postWhileDue(work);
    } finally {
      await Promise.allSettled(work.inFlight);
    }
    if (work.errors.length > 0) throw work.errors[0];
  }

  async function postWhileDue(work: Work): Promise<void> {
    const { endpointId, token, inFlight } = work;
    let idleSince: number | null = null;
    while (Date.now() < work.until && !stopping.aborted && work.errors.length === 0) {
      // The wait is armed before the claim, so that what is written in between still wakes us.
      const woken = new AbortController();
      const wake = database.wakeups.wait('delivery', endpointId, LINGER_MS, woken.signal);
      const stopWaiting = (): void => woken.abort();
      stopping.addEventListener('abort', stopWaiting);
      const claim = await database.statement((queries) =>
        claimDeliveries(queries, { endpointId, token, inFlight: inFlight.size, leaseMs: DELIVERY_LEASE_MS }),
      );
      if (claim) post(work, claim);
      if (claim && claim.deliveries.length > 0) idleSince = null;
      else idleSince ??= Date.now();
      const lingered = idleSince !== null && inFlight.size === 0 && Date.now() - idleSince >= LINGER_MS;
      if (claim?.deliveries.length === 0 && !lingered) await Promise.race([wake, ...inFlight]);
      stopping.removeEventListener('abort', stopWaiting);
      woken.abort();
      if (!claim || lingered) break;
    }
  }

  function post(work: Work, { endpoint, deliveries }: Claim): void {
    if (deliveries.length === 0) return;
    const secret = endpointSecret(database.secrets, endpoint);
    for (const delivery of deliveries) {
      // Caught here: while the loop waits for something else, nobody would, which ends the process.
      const attempt = deliver(work, endpoint, secret, delivery)
        .catch((error: unknown) => void work.errors.push(error))
        .finally(() => work.inFlight.delete(attempt));
      work.inFlight.add(attempt);
    }
  }

  async function deliver(
    { token, drained }: Work,
    endpoint: Claim['endpoint'],
    secret: string | null,
    delivery: ClaimedDelivery,
  ): Promise<void> {
    const { id, url, timeoutMs } = endpoint;
    const attempt =
      secret === null ? SECRET_UNREADABLE : await attemptDelivery(egress, { url, secret, timeoutMs }, delivery);
    await database.statement((queries) => {
      const nextAttemptAt = nextAttempt(attempt, delivery, queries.now);
      return recordAttempt(queries, id, token, { delivery, ...attempt, nextAttemptAt });
    });
    if (attempt.class === 'delivered') drained.delivered += 1;
    else {
      drained.failed += 1;
      drained.lastError = attempt.class;
    }
  }

  async function untilNext(endpointId: string): Promise<number | null> {
    const at = await database.read((queries) => nextDeliveryAt(queries, endpointId));
    return at === null ? null : Math.max(0, at.getTime() - database.clock.now().getTime());
  }

  return drain;
}

/** The ladder, or what the receiver asked for where that is later. Null ends the delivery. */
function nextAttempt(attempt: Attempt, delivery: ClaimedDelivery, now: Date): Date | null {
  if (attempt.class === 'delivered') return null;
  const scheduledMs = nextRetryDelayMs(delivery.attempts + 1, Math.random());
  if (scheduledMs === null) return null;
  const askedMs = Math.min(attempt.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  return new Date(now.getTime() + Math.max(scheduledMs, askedMs));
}
