import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { MAX_MINUTES } from '../../domain/automations/trigger.ts';
import { newId } from '../engine/new-id.ts';
import { rows } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { beginExecutions } from './start.ts';

/** Skip starts that were due for longer: the engine was down, and nobody wants a nudge half a day late. */
const DUE_FOR = sql`interval '2 hours'`;

const DueRow = z.object({
  agencyId: z.string(),
  automationId: z.string(),
  event: z.string(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  key: z.string(),
  messageId: z.string().nullable(),
});

/**
 * Begins the automations whose trigger is that something has not happened for a while, or that a time has come. A state
 * from before the automation was enabled or last changed begins nothing.
 */
export async function beginDueExecutions(tx: Tx, limit: number): Promise<number> {
  const due = await rows(tx, DueRow)`
    with timed as (
      select a.id, a.agency_id, a.tenant_id, a.trigger, a.updated_at, a.trigger->>'event' as event,
        stored_int(a.trigger->'forMinutes', 1, ${MAX_MINUTES}) * interval '1 minute' as waits
      from automation a join agency g on g.id = a.agency_id
      where a.enabled and a.trigger->>'event' in ('unanswered', 'unread', 'schedule') and not is_suspended(g.status)
        and not exists (select 1 from automation_stop s where s.agency_id in ('', a.agency_id))
    ), silent as (
      select t.agency_id, t.id, t.event, c.session_id, c.id as conversation_id, c.last_message_id as key
      from timed t join session s on s.agency_id = t.agency_id and s.tenant_id = t.tenant_id and s.wish <> 'deleted'
        and coalesce(t.trigger->>'session' in (s.id, s.name), true)
      join conversation c on c.session_id = s.id and c.last_message_at <= ${tx.now}::timestamptz - t.waits
        and c.last_message_at > ${tx.now}::timestamptz - t.waits - ${DUE_FOR} and c.last_message_at > t.updated_at
      join message m on m.id = c.last_message_id and m.matching_network_id is null
      where c.merged_into is null and c.contact_id is not null and ${IS_SILENT}
    ), timely as (
      select t.agency_id, t.id, t.event, null::text, null::text, to_char(local.at, 'YYYY-MM-DD') as key
      from timed t join tenant n on n.agency_id = t.agency_id and n.id = t.tenant_id,
      lateral (select ${tx.now}::timestamptz at time zone zone_of(n.settings) as at) local
      where t.event = 'schedule' and exists (select 1 from session s
          where s.agency_id = t.agency_id and s.tenant_id = t.tenant_id and s.wish <> 'deleted')
        and local.at::time >= stored_time(t.trigger->'at')
        -- A difference, because a time two hours on is past midnight late in the evening.
        and local.at::time - stored_time(t.trigger->'at') < ${DUE_FOR}
        and local.at - (local.at::time - stored_time(t.trigger->'at'))
          > t.updated_at at time zone zone_of(n.settings)
        and (t.trigger->'days' is null or t.trigger->'days' @> to_jsonb(extract(dow from local.at)::int))
    )
    select agency_id as "agencyId", id as "automationId", event, session_id as "sessionId",
      conversation_id as "conversationId", key,
      case when conversation_id is not null then key end as "messageId"
    from (select * from silent union all select * from timely) d
    where not exists (select 1 from automation_execution e where e.automation_id = d.id and e.trigger_key = d.key)
    order by key limit ${limit}`;
  let begun = 0;
  for (const [agencyId, own] of Map.groupBy(due, (each) => each.agencyId)) {
    const starts = own.map(({ agencyId: _agencyId, event, messageId, ...start }) => ({
      ...start,
      id: newId('exe'),
      begun: { event, ...(messageId === null ? {} : { messageId }) },
      isFirst: false,
    }));
    begun += (await beginExecutions(tx, agencyId, starts)).length;
  }
  return begun;
}

/** Nobody has answered the contact, or the contact has not read what no automation has said. */
const IS_SILENT: RawBuilder<unknown> = sql`case t.event
  when 'unanswered' then m.direction = 'in'
  when 'unread' then m.direction = 'out' and m.status in ('sent', 'delivered') and m.via is distinct from 'automation'
  else false end`;
