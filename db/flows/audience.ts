import { z } from 'zod';
import type { Audience } from '../../domain/flows/index.ts';
import { beginExecutions } from '../automations/start.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/** With the pause between pages, far fewer runs begin in a minute than an agency may begin. */
const PAGE = 100;

const RunRow = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  automationId: z.string(),
  triggerKey: z.string(),
});
const PlaceRow = z.object({ after: z.string().nullable() });
const MemberRow = z.object({ conversationId: z.string(), sessionId: z.string() });

/** A page of an audience. */
export interface Invited {
  begun: number;
  /** The last conversation of the page; null if the page is empty. */
  last: string | null;
  isLast: boolean;
}

/**
 * Begins one run for each contact of the next page of an audience, and notes the page as step `number` of the run that
 * the schedule began. A contact gets one run for each time of the schedule, however often a page or the schedule's run
 * is repeated: the key of a contact's run is the key of the first one.
 */
export async function invitePage(
  tx: Tx,
  executionId: string,
  { audience, number }: { audience: Audience; number: number },
): Promise<Invited> {
  const { agencyId, tenantId, automationId, triggerKey } = await one(tx, RunRow)`
    with recursive origin as (
      select id, agency_id, tenant_id, automation_id, trigger_key, retry_of, 0 as distance
      from automation_execution where id = ${executionId}
      union all
      select e.id, e.agency_id, e.tenant_id, e.automation_id, e.trigger_key, e.retry_of, o.distance + 1
      from origin o join automation_execution e on e.id = o.retry_of
    )
    select agency_id as "agencyId", tenant_id as "tenantId", automation_id as "automationId",
      trigger_key as "triggerKey"
    from origin order by distance desc limit 1`;
  const place = await row(tx, PlaceRow)`
    select detail->>'after' as after from automation_step
    where execution_id = ${executionId} and number = ${number - 1}`;
  const { label = null, silentDays = null } = audience;
  const members = await rows(tx, MemberRow)`
    select c.id as "conversationId", c.session_id as "sessionId"
    from session s join conversation c on c.session_id = s.id
    where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId} and s.wish <> 'deleted'
      and c.id > ${place?.after ?? ''} and c.merged_into is null and c.contact_id is not null
      and c.mode = 'bot_active' and c.last_message_at is not null and not has_opted_out(c.contact_id)
      and (${silentDays}::int is null
        or c.last_message_at < ${tx.now}::timestamptz - ${silentDays}::int * interval '1 day')
      and (${label}::text is null or exists (select 1 from chat_label x
        join label l on l.session_id = x.session_id and l.id = x.label_id and not l.is_deleted
        where x.session_id = c.session_id and x.is_set and lower(l.name) = lower(${label})
          and (x.chat_id = c.chat_id
            or x.chat_id in (select a.chat_id from contact_alias a where a.contact_id = c.contact_id))))
    order by c.id limit ${PAGE}`;
  const starts = members.map((member) => ({
    ...member,
    id: newId('exe'),
    automationId,
    begun: { event: 'schedule' },
    key: `${triggerKey}/${member.conversationId}`,
    isFirst: false,
  }));
  const begun = await beginExecutions(tx, agencyId, starts);
  await run(tx)`update flow_run set number = ${number} where execution_id = ${executionId}`;
  return {
    begun: begun.length,
    last: members.at(-1)?.conversationId ?? null,
    isLast: members.length < PAGE,
  };
}
