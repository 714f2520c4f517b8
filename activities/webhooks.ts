import { randomUUID } from 'node:crypto';
import { heartbeat } from '@temporalio/activity';
import type { Queries } from '../db/database.ts';
import { claimDeliveries, holdDrain, nextDeliveryAt, recordAttempt, releaseDrain } from '../db/delivery.ts';
import type { ClaimedDelivery } from '../db/delivery.ts';
import { disableEndpoint, endpointSecret, findEndpointById, recordEndpointHealth } from '../db/endpoint.ts';
import type { Endpoint } from '../db/endpoint.ts';
import { nextRetryDelayMs } from '../domain/retry.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { attemptDelivery } from './webhook-attempt.ts';
import type { Attempt } from './webhook-attempt.ts';

export interface Drained {
  delivered: number;
  failed: number;
  lastError: string | null;
  /** Milliseconds until there is something to do again; null when nothing is pending. */
  nextInMs: number | null;
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

const DRAIN_LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** Longer than the longest attempt with its record, so that a living attempt is never claimed twice. */
const DELIVERY_LEASE_MS = 60_000;
const LINGER_MS = 2_000;
const DRAIN_FOR_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000;
const SECRET_UNREADABLE: Attempt = {
  class: 'secret_unreadable',
  status: null,
  durationMs: 0,
  excerpt: null,
  retryAfterMs: null,
};

export function createWebhookActivities(deps: ActivityDependencies) {
  const { database, egress } = deps;

  /**
   * Posts what is due to one endpoint until nothing is left or a minute is over. Safe to repeat: rows are leased, and a
   * row whose worker died is posted again under the same event id.
   */
  async function drainEndpoint({ endpointId }: { endpointId: string }): Promise<Drained> {
    const drained: Drained = { delivered: 0, failed: 0, lastError: null, nextInMs: null };
    const token = randomUUID();
    const lease = createLease(endpointId, token);
    if (!(await lease.hold())) return { ...drained, nextInMs: DRAIN_LEASE_MS };
    const renewal = setInterval(() => {
      heartbeat();
      lease.renew();
    }, RENEW_EVERY_MS);
    const until = Date.now() + DRAIN_FOR_MS;
    try {
      do {
        await drainUntilIdle(endpointId, token, until, drained);
        await lease.release();
        // A writer may have seen the lease a moment before it was cleared and woken nobody: look once more.
        drained.nextInMs = await untilNext(endpointId);
      } while (drained.nextInMs === 0 && Date.now() < until && !deps.stopping.aborted && (await lease.hold()));
      return drained;
    } finally {
      clearInterval(renewal);
      await lease.release();
    }
  }

  /** A renewal that is under way would take the lease again after its release, so a release waits for it. */
  function createLease(endpointId: string, token: string) {
    let held = false;
    let renewing: Promise<unknown> | null = null;
    const take = (): Promise<boolean> => database.read((q) => holdDrain(q, endpointId, token, DRAIN_LEASE_MS));
    return {
      async hold(): Promise<boolean> {
        held = await take();
        return held;
      },
      renew(): void {
        if (!held || renewing) return;
        // A lease that cannot be renewed runs out, which the token on every write makes harmless.
        renewing = take()
          .catch(() => false)
          .finally(() => {
            renewing = null;
          });
      },
      async release(): Promise<void> {
        held = false;
        await renewing;
        await database.read((q) => releaseDrain(q, endpointId, token));
      },
    };
  }

  async function drainUntilIdle(endpointId: string, token: string, until: number, drained: Drained): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    const errors: unknown[] = [];
    try {
      await postWhileDue(endpointId, token, until, drained, { inFlight, errors });
    } finally {
      await Promise.allSettled(inFlight);
    }
    if (errors.length > 0) throw errors[0];
  }

  async function postWhileDue(
    endpointId: string,
    token: string,
    until: number,
    drained: Drained,
    { inFlight, errors }: { inFlight: Set<Promise<void>>; errors: unknown[] },
  ): Promise<void> {
    let idleSince: number | null = null;
    while (Date.now() < until && !deps.stopping.aborted && errors.length === 0) {
      // The wait is armed before the claim, so that what is written in between still wakes us.
      const woken = new AbortController();
      const wake = database.wakeups.wait('delivery', endpointId, LINGER_MS, woken.signal);
      const endpoint = await database.read((q) => findEndpointById(q, endpointId));
      if (endpoint?.status !== 'active') break;
      const free = endpoint.concurrency - inFlight.size;
      const claimed = free > 0 ? await claim(endpointId, token, free) : [];
      for (const delivery of claimed) {
        // Caught here: while the loop waits for something else, nobody would, which ends the process.
        const attempt = deliver(endpoint, token, delivery, drained)
          .catch((error: unknown) => void errors.push(error))
          .finally(() => inFlight.delete(attempt));
        inFlight.add(attempt);
      }
      if (claimed.length > 0) idleSince = null;
      else idleSince ??= Date.now();
      const lingered = idleSince !== null && inFlight.size === 0 && Date.now() - idleSince >= LINGER_MS;
      if (claimed.length === 0 && !lingered) await Promise.race([wake, ...inFlight]);
      woken.abort();
      if (lingered) break;
    }
  }

  function claim(endpointId: string, token: string, limit: number): Promise<ClaimedDelivery[]> {
    return database.transaction((tx) => claimDeliveries(tx, { endpointId, token, limit, leaseMs: DELIVERY_LEASE_MS }));
  }

  async function deliver(
    endpoint: Endpoint,
    token: string,
    delivery: ClaimedDelivery,
    drained: Drained,
  ): Promise<void> {
    const { url, timeoutMs } = endpoint;
    const secret = await database.read((q) => Promise.resolve(secretOf(q, endpoint)));
    const attempt =
      secret === null ? SECRET_UNREADABLE : await attemptDelivery(egress, { url, secret, timeoutMs }, delivery);
    const ok = attempt.class === 'delivered';
    await database.transaction(async (tx) => {
      const nextAttemptAt = nextAttempt(attempt, delivery, tx.now);
      await recordAttempt(tx, endpoint.id, token, { delivery, ...attempt, nextAttemptAt });
      await recordEndpointHealth(tx, endpoint.id, ok ? null : attempt.class);
      if (attempt.class === 'gone') await disableEndpoint(tx, endpoint.id, 'gone');
    });
    if (ok) drained.delivered += 1;
    else {
      drained.failed += 1;
      drained.lastError = attempt.class;
    }
  }

  async function untilNext(endpointId: string): Promise<number | null> {
    const at = await database.read((q) => nextDeliveryAt(q, endpointId));
    return at === null ? null : Math.max(0, at.getTime() - database.clock.now().getTime());
  }

  return { drainEndpoint };
}

/** Null when the engine's key has changed since the secret was sealed: it may come back, so the delivery is kept. */
function secretOf(queries: Queries, endpoint: Endpoint): string | null {
  try {
    return endpointSecret(queries, endpoint);
  } catch {
    return null;
  }
}

/** The ladder, or what the receiver asked for where that is later. Null ends the delivery. */
function nextAttempt(attempt: Attempt, delivery: ClaimedDelivery, now: Date): Date | null {
  if (attempt.class === 'delivered') return null;
  const scheduledMs = nextRetryDelayMs(delivery.attempts + 1, Math.random());
  if (scheduledMs === null) return null;
  const askedMs = Math.min(attempt.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  return new Date(now.getTime() + Math.max(scheduledMs, askedMs));
}
