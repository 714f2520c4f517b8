import type { Database } from '../db/engine/database.ts';
import type { Dispatch, DispatchResults } from '../db/dispatch.ts';
import { findCauses } from '../db/trace.ts';
import type { DispatchOutcome } from './dispatch/send-dispatch.ts';
import type { HandOver } from './dispatch/slices.ts';
import type { WorkflowType } from '../domain/workflows.ts';
import { count, observe } from '../domain/telemetry/meter.ts';
import { parseWorkflowId, priorityName } from '../domain/names.ts';
import { inSpan, inTracedSpan, isTracing } from '../domain/telemetry/tracing.ts';

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

/** Workflows that begin a trace where none has caused them. */
const BEGIN_TRACES: readonly string[] = ['aiConversation', 'runAutomation'] satisfies WorkflowType[];

/**
 * Reads the traces of what is handed over, by the workflows' ids; none where nobody traces. A slice has none, because
 * its messages have one each.
 */
export async function tracesOf(
  database: Pick<Database, 'read'>,
  handOvers: readonly HandOver[],
): Promise<ReadonlyMap<string, string>> {
  const traces = new Map<string, string>();
  if (!isTracing()) return traces;
  const ids = handOvers.flatMap(({ call }) => parseWorkflowId(call.workflowId) ?? []);
  const keysOf = (...types: WorkflowType[]): string[] =>
    ids.flatMap(({ type, key }) => (types.includes(type) ? [key] : []));
  const causes = {
    messages: keysOf('deliverMessage', 'fetchMedia'),
    conversations: keysOf('aiConversation'),
    executions: keysOf('runAutomation'),
  };
  const found = await database.read((queries) => findCauses(queries, causes));
  for (const { call } of handOvers) {
    const trace = found.get(parseWorkflowId(call.workflowId)?.key ?? '');
    if (trace !== undefined) traces.set(call.workflowId, trace);
  }
  return traces;
}

/** Hands a dispatch over in a span of the trace of what has caused it. */
export function inDispatchSpan(
  { workflowType, attempts }: Dispatch,
  parent: string | undefined,
  handOver: () => Promise<DispatchOutcome>,
): Promise<DispatchOutcome> {
  const attributes = { workflow: workflowType, attempt: attempts };
  const inItsSpan = BEGIN_TRACES.includes(workflowType) ? inSpan : inTracedSpan;
  return inItsSpan({ name: 'dispatch', kind: 'producer', parent, attributes }, async (span) => {
    const answer = await handOver();
    if (answer.outcome !== 'done') span.fail(answer.outcome);
    return answer;
  });
}
