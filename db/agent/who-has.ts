import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { row } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const PersonHas = z.object({
  /** The conversation alone, or all conversations of its tenant. */
  of: z.enum(['conversation', 'tenant']),
  /** ISO 8601. Null for a tenant, and if the record of the handover is forgotten. */
  since: z.string().nullable(),
  /** The cause of the handover that began it. */
  cause: z.string().nullable(),
});
/** Says that a person has the conversation and since when, without any name, so that Temporal may show it. */
export type PersonHas = z.output<typeof PersonHas>;

/**
 * Reads since when a person has the conversation; null while the agent has it. Handovers from one person to another
 * change nothing about that.
 */
export async function readPersonHas(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  conversationId: string,
): Promise<PersonHas | null> {
  const found = await row(queries, PersonHas)`
    select case when c.mode = 'human_takeover' then 'conversation' else 'tenant' end as "of", h.cause,
      to_char(h.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    left join lateral (
      select min(x.at) as since, (array_agg(x.cause order by x.id))[1] as cause from handover x
      where x.conversation_id = c.id and x.mode = 'human_takeover' and x.id > coalesce((
        select b.id from handover b where b.conversation_id = c.id and b.mode = 'bot_active'
        order by b.id desc limit 1), 0)) h on c.mode = 'human_takeover'
    where c.id = ${conversationId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}
      and (c.mode = 'human_takeover' or t.ai_mode = 'human_takeover')`;
  return found ?? null;
}
