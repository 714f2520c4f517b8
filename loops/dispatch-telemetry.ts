import type { Database } from '../db/database.ts';
import type { Dispatch, DispatchResults } from '../db/dispatch.ts';
import { findTraces } from '../db/operations/trace.ts';
import type { DispatchOutcome } from '../dispatch/send-dispatch.ts';
import type { HandOver } from '../dispatch/slices.ts';
import { count, observe } from '../domain/telemetry/meter.ts';
import { parseWorkflowId, priorityName } from '../domain/names.ts';
import { inTracedSpan, isTracing } from '../domain/telemetry/tracing.ts';

export function measureLag(batch: readonly Dispatch[]): void {
  for (const { priority, waitedSeconds } of batch) {
    observe('engine_dispatch_lag_seconds', { priority: priorityName(priority) }, waitedSeconds);
  }
}

export function measureResults({ done, retry, parked }: DispatchResults): void {
  count('engine_dispatches_total', { outcome: 'done' }, done.length);
  count('engine_dispatches_total', { outcome: 'again' }, retry.length);
  count('engine_dispatches_total', { outcome: 'parked' }, parked.length);
}

/**
 * Reads the traces of messages that are handed over, by their workflows' ids; none where nobody traces. A slice has
 * none, because its messages have one each.
 */
export async function tracesOf(
  database: Pick<Database, 'read'>,
  handOvers: readonly HandOver[],
): Promise<ReadonlyMap<string, string>> {
  const traces = new Map<string, string>();
  if (!isTracing()) return traces;
  const workflows = new Map<string, string>();
  for (const { call } of handOvers) {
    const id = parseWorkflowId(call.workflowId);
    if (id?.type === 'deliverMessage') workflows.set(id.key, call.workflowId);
  }
  const found = await database.read((queries) => findTraces(queries, [...workflows.keys()]));
  for (const [messageId, trace] of found) traces.set(workflows.get(messageId) ?? '', trace);
  return traces;
}

/** Hands a dispatch over in a span of the trace that its message was accepted in. */
export function inDispatchSpan(
  { workflowType, attempts }: Dispatch,
  parent: string | undefined,
  handOver: () => Promise<DispatchOutcome>,
): Promise<DispatchOutcome> {
  const attributes = { workflow: workflowType, attempt: attempts };
  return inTracedSpan({ name: 'dispatch', kind: 'producer', parent, attributes }, async (span) => {
    const answer = await handOver();
    if (answer.outcome !== 'done') span.fail(answer.outcome);
    return answer;
  });
}
