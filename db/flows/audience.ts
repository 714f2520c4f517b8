import { z } from 'zod';
import type { Audience } from '../../domain/flows/index.ts';
import { beginExecutions, roomOfAudience } from '../automations/start.ts';
import { beginStep, endStep } from '../automations/steps.ts';
import { newId } from '../engine/new-id.ts';
import { Timestamp } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/** The runs that a page begins. With the pause between pages, few runs stand in the agency's line. */
const MOST = 100;
/** The conversations that a page reads, so that a page of a large tenant takes no longer than one of a small tenant. */
const READ = 2_000;

/** Nobody expects the words of nine o'clock in the evening, and the next day's run begins with all contacts. */
const INVITES_FOR_MS = 8 * 3_600_000;

const RunRow = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  automationId: z.string(),
  triggerKey: z.string(),
  isOn: z.boolean(),
  createdAt: Timestamp,
});
const PlaceRow = z.object({ after: z.string().nullable() });
const PageRow = z.object({ read: z.int(), last: z.string().nullable() });
const MemberRow = z.object({ conversationId: z.string(), sessionId: z.string(), contactId: z.string() });

interface Page {
  audience: Audience;
  number: number;
}

/**
 * A page of an audience. Without room in its agency, nothing has happened. `late`: the time of the schedule has passed
 * for long. `off`: the workflow no longer begins runs.
 */
export interface Invited {
  is: 'begun' | 'over' | 'full' | 'late' | 'off';
  begun: number;
}

/**
 * Begins one run for each contact of the next page of an audience, and notes the page as step `number` of the run that
 * the schedule began. A contact gets one run for each time of the schedule, however often a page or the schedule's run
 * is repeated: the key of a contact's run is the key of the first one.
 */
export async function invitePage(tx: Tx, executionId: string, { audience, number }: Page): Promise<Invited> {
  const of = await originOf(tx, executionId);
  const most = await roomOfAudience(tx, of.agencyId, MOST);
  if (!of.isOn) return { is: 'off', begun: 0 };
  if (tx.now.getTime() - of.createdAt.getTime() > INVITES_FOR_MS) return { is: 'late', begun: 0 };
  if (most === 0) return { is: 'full', begun: 0 };
  const place = await row(tx, PlaceRow)`
    select detail->>'after' as after from automation_step
    where execution_id = ${executionId} and number = ${number - 1}`;
  const after = place?.after ?? '';
  const page = await one(tx, PageRow)`
    select count(*)::int as read, max(id) as last from (
      select c.id from conversation c
      where c.agency_id = ${of.agencyId} and c.tenant_id = ${of.tenantId} and c.id > ${after}
      order by c.id limit ${READ}) page`;
  const members = await membersOf(tx, of, { audience, after, last: page.last ?? after, limit: most });
  const starts = members.map(({ contactId, ...member }) => ({
    ...member,
    id: newId('exe'),
    automationId: of.automationId,
    begun: { event: 'schedule' },
    key: `${of.triggerKey}/${contactId}`,
    isFirst: false,
    audience,
  }));
  const started = await beginExecutions(tx, of.agencyId, starts);
  // Others may have taken the room meanwhile. The next page begins with the first contact who got none.
  const left = new Set(started.flatMap(({ id, isWritten }) => (isWritten ? [] : [id])));
  const firstLeft = starts.findIndex(({ id }) => left.has(id));
  if (firstLeft === 0) return { is: 'full', begun: 0 };
  const taken = firstLeft === -1 ? members : members.slice(0, firstLeft);
  const isRead = firstLeft === -1 && members.length < most;
  const upTo = isRead ? page.last : (taken.at(-1)?.conversationId ?? null);
  const begun = started.length - left.size;
  const step = { executionId, number, name: 'audience' };
  await beginStep(tx, step);
  await endStep(tx, step, { begun, after: upTo ?? after });
  await run(tx)`update flow_run set number = ${number} where execution_id = ${executionId}`;
  return { is: isRead && page.read < READ ? 'over' : 'begun', begun };
}

/** The first run of a schedule's run and its repetitions, with the time of the last. */
function originOf(tx: Tx, executionId: string): Promise<z.output<typeof RunRow>> {
  return one(tx, RunRow)`
    with recursive origin as (
      select id, agency_id, tenant_id, automation_id, trigger_key, retry_of, 0 as distance
      from automation_execution where id = ${executionId}
      union all
      select e.id, e.agency_id, e.tenant_id, e.automation_id, e.trigger_key, e.retry_of, o.distance + 1
      from origin o join automation_execution e on e.id = o.retry_of
    )
    select o.agency_id as "agencyId", o.tenant_id as "tenantId", o.automation_id as "automationId",
      o.trigger_key as "triggerKey", a.enabled as "isOn",
      (select e.created_at from automation_execution e where e.id = ${executionId}) as "createdAt"
    from origin o join automation a on a.id = o.automation_id order by o.distance desc limit 1`;
}

/** Lists the contacts of an audience among these conversations. */
function membersOf(
  tx: Tx,
  { agencyId, tenantId }: { agencyId: string; tenantId: string },
  { audience, after, last, limit }: { audience: Audience; after: string; last: string; limit: number },
): Promise<z.output<typeof MemberRow>[]> {
  const { label = null, silentDays = null } = audience;
  return rows(tx, MemberRow)`
    with page as materialized (
      select c.id, c.session_id, c.chat_id, c.contact_id, c.last_message_at from conversation c
      where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.id > ${after} and c.id <= ${last}
        and c.merged_into is null and c.contact_id is not null and c.mode = 'bot_active'
        and c.last_message_at is not null and (${silentDays}::int is null
          or c.last_message_at < ${tx.now}::timestamptz - ${silentDays}::int * interval '1 day')
      order by c.id limit ${READ}
    )
    select c.id as "conversationId", c.session_id as "sessionId", c.contact_id as "contactId"
    from page c join session s on s.id = c.session_id and s.wish <> 'deleted'
    where not has_opted_out(c.contact_id)
      -- A contact of several accounts belongs to the conversation in which something was said last.
      and not exists (select 1 from conversation o join session t on t.id = o.session_id and t.wish <> 'deleted'
        where o.contact_id = c.contact_id and o.merged_into is null
          and (o.last_message_at, o.id) > (c.last_message_at, c.id))
      and (${label}::text is null or exists (select 1 from chat_label x
        join label l on l.session_id = x.session_id and l.id = x.label_id and not l.is_deleted
        where x.session_id = c.session_id and x.is_set and lower(l.name) = lower(${label})
          and (x.chat_id = c.chat_id
            or x.chat_id in (select a.chat_id from contact_alias a where a.contact_id = c.contact_id))))
    order by c.id limit ${limit}`;
}
