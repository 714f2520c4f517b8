import { z } from 'zod';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { Timestamp } from '../columns.ts';
import { one } from '../rows.ts';
import type { Session } from '../sessions/session.ts';
import type { Queries, Tx } from '../tx.ts';
import { lockSessionEvents } from './backend-event.ts';
import { applyNetworkEvents } from './ingest.ts';

const Known = z.object({
  heardAt: Timestamp.nullable(),
  isBehind: z.boolean(),
  unknown: z.array(z.string()),
});

/**
 * Says which of these messages are not here, and when the session last heard a contact. `isBehind`: the backend has
 * told of something that waits to be applied, which may be one of them.
 */
export async function readUnknown(
  queries: Queries,
  { id, name }: Pick<Session, 'id' | 'name'>,
  networkIds: readonly string[],
): Promise<z.output<typeof Known>> {
  return one(queries, Known)`
    select (select heard_at from session_hearing where session_id = ${id}) as "heardAt",
      exists (select 1 from backend_event where session_name = ${name} and applied_at is null
        and parked_at is null) as "isBehind",
      array(select given from unnest(${networkIds}::text[]) as given
        where not exists (select 1 from message m
            where m.network_id = given and m.session_id = ${id} and m.direction in ('in', 'out'))
          and not exists (select 1 from parked_own_message p where p.session_id = ${id} and p.network_id = given)
      ) as unknown`;
}

/**
 * Brings in messages of one chat that the backend has not told of, as if it told of them now: dashboards get their
 * events, and the agent owes those that are young enough an answer. A message that the backend tells of later is known
 * by its network id and changes nothing. The session's events are not applied meanwhile, for they may bring the same.
 */
export async function receiveMissed(tx: Tx, session: Session, messages: readonly NetworkMessage[]): Promise<void> {
  await lockSessionEvents(tx, session.name);
  const inOrder = messages.toSorted((a, b) => a.timestamp - b.timestamp);
  await applyNetworkEvents(
    tx,
    inOrder.map((message) => ({
      session,
      event: { kind: 'message', key: `missed:${message.networkId}`, message },
      receivedAt: null,
    })),
  );
}
