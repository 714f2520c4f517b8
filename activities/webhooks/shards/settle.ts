import type { OutcomeRecord } from '../../../db/webhooks/shards/outcomes.ts';
import type { Waiting } from '../../../domain/webhooks/shards/pending.ts';
import type { EndpointRun } from './endpoint-run.ts';
import type { Outcome } from './outcomes.ts';

/** An attempt whose record has been answered, or given up. */
export interface Settled {
  delivery: Waiting;
  record: OutcomeRecord;
  how: Parameters<Outcome['settle']>[0];
}

/**
 * Puts the delivery back to its place in the queue, or ends it. Answers false when the rows differ from what is in
 * memory, so that they must be read again.
 */
export function settle({ queue }: EndpointRun, { delivery, record, how }: Settled, nowMs: number): boolean {
  const { attempts, ladderStep, dueAtMs, lane, eventId } = delivery;
  const after = { attempts: attempts + Number(record.charged), ladderStep: ladderStep + Number(record.climbs) };
  if (how !== 'written') {
    queue.end(delivery, how === 'refused' ? after.attempts : attempts, nowMs);
    return false;
  }
  // A trial goes alone, and fails when its receiver wants no more events.
  const isOver = record.over || (record.class === 'gone' && lane === eventId);
  if (isOver) queue.end(delivery, after.attempts, nowMs);
  else queue.putBack(delivery, { ...after, dueAtMs: record.nextAttemptAt?.getTime() ?? dueAtMs }, nowMs);
  return true;
}
