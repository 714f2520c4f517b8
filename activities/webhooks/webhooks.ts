import { activityInfo, heartbeat } from '@temporalio/activity';
import { z } from 'zod';
import type { Tx } from '../../db/engine/tx.ts';
import { retryNow } from '../../db/webhooks/endpoint-health.ts';
import { insertEndpointHistory, isDecided } from '../../db/webhooks/endpoint-history.ts';
import type { Actor } from '../../db/webhooks/endpoint-history.ts';
import { endpointProgress } from '../../db/webhooks/endpoint-progress.ts';
import type { EndpointProgress } from '../../db/webhooks/endpoint-progress.ts';
import { changeEndpointStatus } from '../../db/webhooks/endpoint-state.ts';
import { replayEvents } from '../../db/webhooks/replay.ts';
import type { Replayed } from '../../db/webhooks/replay.ts';
import { shardOf } from '../../db/webhooks/shards/shard-of.ts';
import { notFound } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** A decision of an operator about an endpoint, made in its execution. */
export interface EndpointDecision {
  endpointId: string;
  actor: string;
  reason: string;
  /** The update's id. The activity may run again without knowing that it has already decided; the id tells it. */
  requestId: string;
}

/** Matches the number of a row. If an older version told something else, the replay begins anew, which does no harm. */
const RowNumber = z.string().regex(/^-?\d{1,18}$/);

/** The progress of an earlier attempt of the replay. */
const ToldReplay = z.object({
  count: z.int(),
  continueFrom: z.object({ order: RowNumber, id: RowNumber, asOf: z.coerce.date() }).nullable(),
});

export function createWebhookActivities({ database }: Pick<ActivityDependencies, 'database'>) {
  /**
   * Hints the owner of the endpoint's shard at deliveries that are due. The owner posts them, in whichever process it
   * is. Only reads. Rows: endpoint, endpoint_health, delivery_shard, delivery.
   */
  function drainEndpoint({ endpointId }: { endpointId: string }): Promise<EndpointProgress> {
    database.wakeups.wake('delivery', String(shardOf(endpointId)));
    return lookAtEndpoint({ endpointId });
  }

  /** Tells how the endpoint's deliveries go. Only reads. Rows: endpoint, endpoint_health, delivery_shard, delivery. */
  function lookAtEndpoint({ endpointId }: { endpointId: string }): Promise<EndpointProgress> {
    return database.read((queries) => endpointProgress(queries, endpointId));
  }

  /**
   * Pauses the endpoint until it is resumed. Safe to repeat: a request decides once. Rows: endpoint, endpoint_history.
   */
  function pauseEndpoint(decision: EndpointDecision): Promise<EndpointProgress> {
    return setStatus(decision, 'paused');
  }

  /**
   * Resumes the endpoint as if it had never failed. Safe to repeat: a request decides once.
   * Rows: endpoint, endpoint_health, endpoint_history.
   */
  function resumeEndpoint(decision: EndpointDecision): Promise<EndpointProgress> {
    return setStatus(decision, 'active');
  }

  /**
   * Makes deliveries due now that wait for their next attempt. Safe to repeat: a request decides once.
   * Rows: delivery, endpoint_health, endpoint_history.
   */
  function retryEndpointNow(decision: EndpointDecision): Promise<EndpointProgress> {
    return decide(decision, async (tx, by) => {
      const waited = await retryNow(tx, decision.endpointId);
      await insertEndpointHistory(tx, decision.endpointId, { action: 'retry_now', by, detail: { waited } });
    });
  }

  /**
   * Posts events once more. Safe to repeat: it goes on where it was, and leaves deliveries alone that have ended since
   * it began.
   * Rows: event, delivery, endpoint_history.
   */
  async function replayEndpoint({
    since,
    ...decision
  }: EndpointDecision & { since: string | null }): Promise<{ count: number }> {
    const { endpointId } = decision;
    await existing(endpointId);
    const which =
      since === null
        ? { since: new Date(0), only: 'failed' as const }
        : { since: new Date(since), only: 'all' as const };
    const replay = { endpointId, ...which, until: null };
    const told = ToldReplay.safeParse(activityInfo().heartbeatDetails);
    let done = told.success ? told.data : null;
    const progress = {
      done,
      onPart: (part: Replayed) => {
        done = part;
        heartbeat(part);
      },
    };
    return beating(
      async () => ({ count: await replayEvents(database, replay, actorOf(decision), progress) }),
      () => done,
    );
  }

  async function decide(
    decision: EndpointDecision,
    work: (tx: Tx, by: Actor) => Promise<unknown>,
  ): Promise<EndpointProgress> {
    await existing(decision.endpointId);
    await database.transaction(async (tx) => {
      if (!(await isDecided(tx, decision.endpointId, decision.requestId))) await work(tx, actorOf(decision));
    });
    return lookAtEndpoint(decision);
  }

  function setStatus(decision: EndpointDecision, to: 'active' | 'paused'): Promise<EndpointProgress> {
    return decide(decision, async (tx, by) => {
      if ((await changeEndpointStatus(tx, decision.endpointId, to, by)) === null) throw notFound('endpoint');
    });
  }

  async function existing(endpointId: string): Promise<void> {
    const { status } = await lookAtEndpoint({ endpointId });
    if (status === 'deleted') throw notFound('endpoint');
  }

  return {
    drainEndpoint,
    lookAtEndpoint,
    pauseEndpoint,
    resumeEndpoint,
    retryEndpointNow,
    replayEndpoint,
  };
}

function actorOf({ actor, reason, requestId }: EndpointDecision): Actor {
  return { actor, reason, keyId: null, requestId };
}
