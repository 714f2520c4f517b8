import type { Dispatch } from '../db/dispatch.ts';
import { parseWorkflowId, PRIORITY, workflowId } from '../domain/names.ts';
import { WORKFLOWS } from '../domain/workflows.ts';
import type { DispatchOutcome } from './send-dispatch.ts';

/** What is handed to Temporal in one call, and the dispatches that it keeps: one, or those of a slice. */
export interface HandOver {
  call: Dispatch;
  dispatches: Dispatch[];
}

/**
 * Puts the starts of messages of one session's broadcast into slices, so that one execution delivers them. Only a first
 * attempt goes into a slice: a start whose answer was lost is repeated for each message alone, because the slice may
 * have begun with other messages.
 */
export function sliceUp(batch: readonly Dispatch[]): HandOver[] {
  const handOvers: HandOver[] = [];
  for (const [session, dispatches] of Map.groupBy(batch, sessionOfBroadcast)) {
    const [first, second] = dispatches;
    if (session === null || first === undefined || second === undefined) {
      handOvers.push(...dispatches.map((call) => ({ call, dispatches: [call] })));
    } else {
      handOvers.push({ call: sliceOf(first, dispatches), dispatches });
    }
  }
  return handOvers;
}

/** The session, for the first start of a message of a broadcast; null for every other dispatch. */
function sessionOfBroadcast({ workflowType, action, priority, attempts, attributes }: Dispatch): string | null {
  const isFirstStart = action === 'start' && attempts === 1;
  if (workflowType !== 'deliverMessage' || !isFirstStart || priority !== PRIORITY.automation) return null;
  const session = attributes['SessionId'];
  return typeof session === 'string' ? session : null;
}

function sliceOf(first: Dispatch, dispatches: readonly Dispatch[]): Dispatch {
  const { attributes: shown, summary } = WORKFLOWS.deliverSlice;
  const messageIds = dispatches.map(({ workflowId: id }) => parseWorkflowId(id)?.key ?? '');
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
