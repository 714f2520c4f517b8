import type { Dispatch } from '../../db/dispatch.ts';
import { parseWorkflowId, PRIORITY, workflowId } from '../../domain/names.ts';
import { WORKFLOWS } from '../../domain/workflows.ts';
import type { DispatchOutcome } from './send-dispatch.ts';

/** The work that one call hands to Temporal, with its dispatches: one, or those of a slice. */
export interface HandOver {
  call: Dispatch;
  dispatches: Dispatch[];
}

/**
 * This many messages of a session make a slice. Operators look for a single message under its own id, so one or two
 * keep executions of their own; nobody waits for a message of a broadcast.
 */
const SHARED_FROM = { broadcast: 2, other: 3 };

const NONE: ReadonlySet<string> = new Set();

/**
 * Puts the starts of messages of one session and priority into slices, so that one execution delivers them. Only a
 * first attempt goes into a slice: a start whose answer was lost is repeated for each message alone, because the slice
 * may have begun with other messages. `slow` are the ids of messages that need the time of their own executions.
 */
export function sliceUp(batch: readonly Dispatch[], slow: ReadonlySet<string> = NONE): HandOver[] {
  const handOvers: HandOver[] = [];
  for (const [queue, dispatches] of Map.groupBy(batch, (dispatch) => queueOf(dispatch, slow))) {
    const [first] = dispatches;
    if (queue === null || first === undefined || dispatches.length < sharedFrom(first)) {
      handOvers.push(...dispatches.map((call) => ({ call, dispatches: [call] })));
    } else {
      handOvers.push({ call: sliceOf(first, dispatches), dispatches });
    }
  }
  return handOvers;
}

/** The ids of the messages of a batch that {@link sliceUp} puts into slices. */
export function inSlices(batch: readonly Dispatch[]): string[] {
  return sliceUp(batch).flatMap(({ dispatches }) => (dispatches.length > 1 ? dispatches.map(messageOf) : []));
}

/** The session and priority, for the first start of a message; null for every other dispatch. */
function queueOf(dispatch: Dispatch, slow: ReadonlySet<string>): string | null {
  const { workflowType, action, priority, attempts, attributes } = dispatch;
  const isFirstStart = workflowType === 'deliverMessage' && action === 'start' && attempts === 1;
  // The reconcile promises in the background what has begun somewhere already.
  if (!isFirstStart || priority === PRIORITY.background || slow.has(messageOf(dispatch))) return null;
  const session = attributes['SessionId'];
  return typeof session === 'string' ? `${priority} ${session}` : null;
}

function sharedFrom({ priority }: Dispatch): number {
  return priority === PRIORITY.automation ? SHARED_FROM.broadcast : SHARED_FROM.other;
}

function messageOf({ workflowId: id }: Dispatch): string {
  return parseWorkflowId(id)?.key ?? '';
}

function sliceOf(first: Dispatch, dispatches: readonly Dispatch[]): Dispatch {
  const { attributes: shown, summary } = WORKFLOWS.deliverSlice;
  const messageIds = dispatches.map(messageOf);
  return {
    ...first,
    workflowType: 'deliverSlice',
    workflowId: workflowId('deliverSlice', messageIds[0] ?? ''),
    args: [messageIds],
    attributes: Object.fromEntries(shown.map((name) => [name, first.attributes[name]])),
    summary: `${summary.replace('{AgencyId}', first.agencyId)} · ${messageIds.length} messages`,
  };
}

/**
 * The answer for each dispatch of a call. A slice that has ended tells nothing of its messages, which may have been
 * others than now, so each message goes alone.
 */
export function answerOfEach(answer: DispatchOutcome, { length }: readonly Dispatch[]): DispatchOutcome {
  if (answer.outcome !== 'already_completed' || length === 1) return answer;
  return { outcome: 'failed', error: 'its slice has ended', atOnce: true };
}
