import { sql } from 'kysely';
import { z } from 'zod';
import { MessageChange } from '../../../domain/network/message-change.ts';
import { withoutErased } from '../../personal-data/erased-address.ts';
import { one, rows, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';

const Owner = z.object({ agencyId: z.string(), tenantId: z.string() });

/** Keeps a change until its message comes, unless it is by a person who was erased since. */
export async function parkChange(tx: Tx, sessionId: string, change: MessageChange): Promise<void> {
  const owner = await one(tx, Owner)`
    select agency_id as "agencyId", tenant_id as "tenantId" from session where id = ${sessionId}`;
  const { chatId, participant, aliases } = change.by;
  const chatIds = [...[participant ?? chatId].filter((address) => address !== null), ...aliases];
  const kept = await withoutErased(tx, owner, [change], ({ at }) => ({ chatIds, at: new Date(at) }));
  if (kept.length === 0) return;
  await run(tx)`
    insert into parked_change (session_id, network_id, key, change)
    values (${sessionId}, ${change.networkId}, ${change.key}, ${JSON.stringify(change)}::jsonb)
    on conflict do nothing`;
}

const Parked = z.object({ sessionId: z.string(), change: MessageChange });
export type ParkedChange = z.output<typeof Parked>;

/** Takes what was done to these messages before they came, in the order in which it was done. */
export async function takeParkedChanges(
  tx: Tx,
  sessionId: string,
  networkIds: readonly string[],
): Promise<ParkedChange[]> {
  const taken = await rows(tx, Parked)`
    delete from parked_change where session_id = ${sessionId} and network_id = any(${networkIds}::text[])
    returning session_id as "sessionId", change`;
  return inOrder(taken);
}

/** {@link takeOverlookedChanges} looks for the message of a parked change for this long. */
const OVERLOOKED_FOR_MINUTES = 10;

/** Selects changes whose message is known by now: they were parked at the moment in which it was written. */
export const OVERLOOKED_CHANGES = sql`parked_change p
  join message m on m.session_id = p.session_id and m.direction in ('in', 'out') and m.network_id = p.network_id
  where not exists (select 1 from awaited_content a where a.message_id = m.id)
    and p.at > clock_timestamp() - ${OVERLOOKED_FOR_MINUTES} * interval '1 minute'`;

export async function takeOverlookedChanges(tx: Tx, limit: number): Promise<ParkedChange[]> {
  const taken = await rows(tx, Parked)`
    with known as (
      select p.session_id, p.network_id, p.key from ${OVERLOOKED_CHANGES}
      order by p.at limit ${limit} for update of p skip locked
    )
    delete from parked_change p using known k
    where p.session_id = k.session_id and p.network_id = k.network_id and p.key = k.key
    returning p.session_id as "sessionId", p.change`;
  return inOrder(taken);
}

function inOrder(parked: readonly ParkedChange[]): ParkedChange[] {
  return parked.toSorted((a, b) => a.change.at - b.change.at || a.change.toldAt - b.change.toldAt);
}
