import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { row } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import type { Actor } from './endpoint-history.ts';
import { changeEndpointStatus } from './endpoint-state.ts';
import type { EndpointRow } from './endpoint-view.ts';
import { replayPart } from './replay.ts';
import type { Replayed, ReplayPlace } from './replay.ts';

/**
 * Lets an endpoint go on, and sends again the deliveries that used up their attempts since it began to fail, or since
 * `endedSince`. These are put back before it resumes, so that nothing newer of their lanes goes first. Null when the
 * endpoint was deleted meanwhile.
 */
export async function resumeAndRecover(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id' | 'failingSince' | 'statusAt'>,
  from: { place: ReplayPlace; endedSince: Date | null } | null,
  by: Actor,
): Promise<(Replayed & { endedSince: Date }) | null> {
  const { id, failingSince, statusAt } = endpoint;
  const endedSince = from?.endedSince ?? failingSince ?? (await lastRecovered(tx, endpoint)) ?? statusAt;
  const failed = { endpointId: id, since: new Date(0), until: null, only: 'failed', endedSince } as const;
  const recovered = await replayPart(tx, failed, from?.place ?? null, by);
  if ((await changeEndpointStatus(tx, id, 'active', by)) === null) return null;
  return { ...recovered, endedSince };
}

const RecoveredRow = z.object({ since: Timestamp });

/**
 * Reads since when deliveries were recovered when the endpoint was last resumed, if it has been active since. A
 * repeated request to resume then recovers the same deliveries.
 */
async function lastRecovered(
  tx: Tx,
  { id, statusAt }: Pick<EndpointRow, 'id' | 'statusAt'>,
): Promise<Date | undefined> {
  const found = await row(tx, RecoveredRow)`
    select detail->>'endedSince' as since from endpoint_history
    where endpoint_id = ${id} and action = 'recover' and at >= ${statusAt}::timestamptz
      and detail->>'endedSince' is not null
    order by endpoint_history.id desc limit 1`;
  return found?.since;
}
