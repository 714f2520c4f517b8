import { z } from 'zod';
import { MAX_COUNTED } from '../../domain/telemetry/of-rows.ts';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const Count = z.int();
const Seconds = z.number();
/** The size and the age of all queues; an age is 0 if nothing waits. */
const QueueState = z.object({
  messages: z.object({ scheduled: Count, queued: Count, sending: Count, uncertain: Count }),
  messageSeconds: z.object({ scheduled: Seconds, queued: Seconds }),
  /** The promises of each priority that has any. */
  dispatches: z.array(z.object({ priority: z.int(), waiting: Count, seconds: Seconds })),
  deliveries: Count,
  deliverySeconds: Seconds,
  failingSeconds: Seconds,
  breakers: z.object({ open: Count, half_open: Count }),
  /** Messages that the agent owes an answer, and conversations that it owes to people. */
  owed: Count,
  owedSeconds: Seconds,
  owedToPeople: Count,
  syncs: Count,
  syncSeconds: Seconds,
});
export type QueueState = z.output<typeof QueueState>;

const StateRow = z.object({ state: QueueState });

/** Reads the queues of all tenants, for operators, in one statement (`queue-state.sql`). */
export async function readQueueState(queries: Pick<Queries, 'sql' | 'now'>): Promise<QueueState> {
  const { state } = await one(queries, StateRow)`
    select queue_state(${queries.now}::timestamptz, ${MAX_COUNTED}) as state`;
  return state;
}
