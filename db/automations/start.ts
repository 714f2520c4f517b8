import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { TRIGGERING } from '../../domain/automations/trigger.ts';
import { one, rows, run } from '../engine/rows.ts';
import type { NewEvent, Tx } from '../engine/tx.ts';
import type { EnabledAutomations } from './enabled.ts';
import { promiseNext } from './line.ts';
import { startsOf } from './matching.ts';
import type { Start } from './matching.ts';
import { tellEnd } from './execution-events.ts';
import { insertTold } from '../promises.ts';

/** An automation begins at most so often for one conversation in a day, so that two programs cannot talk for ever. */
const MAX_PER_CONVERSATION_AND_DAY = 20;

const StartedRow = z.object({
  id: z.string(),
  tenantId: z.string(),
  automation: z.string(),
  conversationId: z.string().nullable(),
  contactId: z.string().nullable(),
  sessionId: z.string().nullable(),
  reason: z.enum(['too_many_running', 'too_many_started']).nullable(),
  isWritten: z.boolean(),
});

/**
 * A run that was written, with the reason for which it has ended at once, if it has. One of an audience is not written
 * then, so that the audience begins it later.
 */
export type Started = Pick<z.output<typeof StartedRow>, 'id' | 'reason' | 'isWritten'>;

/**
 * Begins the automations that the events of a transaction start, and tells those that wait for one of them. Events of
 * tenants that have switched on nothing cost no statement.
 */
export async function startAutomations(tx: Tx, known: EnabledAutomations, events: readonly NewEvent[]): Promise<void> {
  const triggering = events.filter(
    ({ event, trialOf, startsNothing }) => TRIGGERING.has(event) && trialOf === undefined && startsNothing !== true,
  );
  for (const [agencyId, own] of Map.groupBy(triggering, (event) => event.agencyId)) {
    const byTenant = await known.of(tx, agencyId, new Set(own.flatMap(({ tenantId }) => tenantId ?? [])));
    if (byTenant.size === 0) continue;
    await tellWaiting(tx, agencyId, own);
    const starts: Start[] = [];
    for (const event of own) starts.push(...(await startsOf(tx, byTenant, event)));
    await beginExecutions(tx, agencyId, starts);
  }
}

/**
 * Writes executions of one agency and promises the workflows of those whose turn it is. One trigger begins an
 * automation once. An automation whose conversation has had as many in a day as it may begins no other. Executions
 * beyond the agency's limit are written as failed, so that everybody sees them, and can be repeated later.
 */
export async function beginExecutions(tx: Tx, agencyId: string, starts: readonly Start[]): Promise<Started[]> {
  if (starts.length === 0) return [];
  const started = await rows(tx, StartedRow)`
    with may as (${limitsOf(agencyId)}), has as (
      select may.*, ${countedTo('may.running', IS_RUNNING, agencyId)} as has_running,
        ${countedTo('may.started', isOfLastMinute(tx), agencyId)} as has_started
      from may
    ), wanted as (
      select s.id, a.id as automation_id, a.agency_id, a.tenant_id, s."sessionId" as session_id,
        c.id as conversation_id, c.contact_id, a.definition, a.params, s.begun, s.key, s."retryOf" as retry_of,
        s.audience, f.version,
        case when c.mode = 'bot_active' then c.epoch end as epoch, row_number() over (order by s.id) as number
      from jsonb_to_recordset(${JSON.stringify(starts)}::jsonb) as s(id text, "automationId" text,
        "conversationId" text, "sessionId" text, begun jsonb, key text, "isFirst" boolean, "isNoReply" boolean,
        "retryOf" text, audience jsonb)
      join automation a on a.id = s."automationId" and a.enabled and a.agency_id = ${agencyId}
      left join flow f on a.definition like 'flow-%' and f.id = 'flw_' || substr(a.definition, 6)
        and f.agency_id = a.agency_id
      left join conversation named on named.id = s."conversationId" and named.agency_id = a.agency_id
        and named.tenant_id = a.tenant_id
      left join conversation c on c.id = conversation_now(named)
      where (not s."isFirst" or not exists (select 1 from message m
          where m.conversation_id = c.id and m.direction = 'in' and m.id <> s.key))
        and (s."isNoReply" is not true or not ${IS_AWAITED})
        and (c.id is null or ${MAX_PER_CONVERSATION_AND_DAY} > (select count(*) from automation_execution e
          where e.automation_id = a.id
            and e.conversation_id in (select own.id from ids_of_conversation(c.id) as own(id))
            and e.created_at > ${tx.now}::timestamptz - interval '1 day'))
        and not exists (select 1 from automation_stop s where s.agency_id in ('', ${agencyId}))
    ), judged as (
      select w.*, case when h.running > 0 and h.has_running + w.number > h.running then 'too_many_running'
        when h.started > 0 and h.has_started + w.number > h.started then 'too_many_started' end as reason
      from wanted w cross join has h
    ), written as (
      insert into automation_execution (id, automation_id, agency_id, tenant_id, session_id, conversation_id,
        contact_id, definition, definition_version, params, trigger, trigger_key, retry_of, input, audience, status,
        reason, conversation_epoch, created_at, ended_at)
      select id, automation_id, agency_id, tenant_id, session_id, conversation_id, contact_id, definition, version,
        params, begun, key, retry_of, (select o.input from automation_execution o where o.id = retry_of), audience,
        case when reason is null then 'running' else 'failed' end, reason, epoch, ${tx.now},
        case when reason is not null then ${tx.now}::timestamptz end
      from judged where reason is null or audience is null
      on conflict (automation_id, trigger_key) do nothing
      returning id, tenant_id, definition, conversation_id, contact_id, session_id, reason
    )
    select id, tenant_id as "tenantId", definition as automation, conversation_id as "conversationId",
      contact_id as "contactId", session_id as "sessionId", reason, true as "isWritten"
    from written
    union all
    select id, tenant_id, definition, conversation_id, contact_id, session_id, reason, false
    from judged where reason is not null and audience is not null`;
  const begun = started.filter(({ isWritten }) => isWritten);
  if (begun.some(({ reason }) => reason === null)) await promiseNext(tx, agencyId);
  for (const { id, reason, isWritten: _isWritten, ...execution } of begun) {
    if (reason !== null) tellEnd(tx, { executionId: id, agencyId, ...execution, status: 'failed', reason });
  }
  return started;
}

const RoomRow = z.object({
  line: z.int(),
  running: z.int(),
  ofAudiences: z.int(),
  started: z.int(),
  isAlone: z.boolean(),
});

/**
 * Answers how many runs an audience may begin now, so that it neither fills the agency's line nor has other runs
 * refused. Audiences have half of the runs that an agency may have at a time, and take half of the free ones at most.
 * An audience without any run may take the last free one, because an agency may have few.
 */
export async function roomOfAudience(tx: Tx, agencyId: string, most: number): Promise<number> {
  const ofAudience = sql`${IS_RUNNING} and e.audience is not null`;
  const { line, running, ofAudiences, started, isAlone } = await one(tx, RoomRow)`
    with may as (${limitsOf(agencyId)})
    select ${most}::int - (select count(*) from (select 1 from automation_execution e
        where e.agency_id = ${agencyId} and ${IS_RUNNING} and e.promised_at is null
        limit ${most}) counted)::int as line,
      case when may.running = 0 then ${most}::int * 2
        else may.running - ${countedTo('may.running', IS_RUNNING, agencyId)}::int end as running,
      case when may.running = 0 then ${most}::int
        else greatest(may.running / 2, 1) - ${countedTo('may.running', ofAudience, agencyId)}::int end as "ofAudiences",
      case when may.started = 0 then ${most}::int * 2
        else may.started - ${countedTo('may.started', isOfLastMinute(tx), agencyId)}::int end as started,
      not exists (select 1 from automation_execution e
        where e.agency_id = ${agencyId} and ${ofAudience}) as "isAlone"
    from may`;
  const half = isAlone ? Math.ceil : Math.floor;
  return Math.max(0, Math.min(line, ofAudiences, half(running / 2), half(started / 2)));
}

/** The runs that an agency may have at a time, and may begin in a minute. 0 sets no limit. */
const limitsOf = (agencyId: string): RawBuilder<unknown> => sql`
  select coalesce(stored_int(g.limits->'automationsRunning', 0, 2147483647)::int, c.running) as running,
    coalesce(stored_int(g.limits->'automationsPerMinute', 0, 2147483647)::int, c.per_minute) as started
  from agency g, automation_ceiling c where g.id = ${agencyId}`;

/**
 * The run of a schedule only invites its audience, and waits for places meanwhile. If it took one itself, an agency
 * with few places would wait for ever.
 */
const IS_RUNNING: RawBuilder<unknown> = sql`e.status = 'running'
  and not (e.conversation_id is null and e.trigger->>'event' = 'schedule')`;

const isOfLastMinute = ({ now }: Tx): RawBuilder<unknown> =>
  sql`e.created_at > ${now}::timestamptz - interval '1 minute'`;

/**
 * The message is what `findReplySince` finds for a run of the automation: the first since it began to wait. The run may
 * have begun in a conversation that became this one.
 */
const IS_AWAITED: RawBuilder<unknown> = sql`exists (select 1 from message m
  join automation_execution e on e.automation_id = a.id and e.status = 'running' and e.conversation_id in (
    select own.id from ids_of_conversation(c.id) as own(id))
  join automation_step w on w.execution_id = e.id and w.name = 'waitForReply' and w.ended_at is null
    and w.started_at < m.created_at
  where m.id = s.key and not exists (select 1 from message o where o.conversation_id = c.id and o.direction = 'in'
    and unsaid(o, c.chat_id) is null and o.created_at > w.started_at and (o.created_at, o.id) < (m.created_at, m.id)))`;

/** Counts an agency's runs up to the bound, so that a large agency costs no more than the bound. */
function countedTo(bound: string, which: RawBuilder<unknown>, agencyId: string): RawBuilder<unknown> {
  return sql`(select count(*) from (select 1 from automation_execution e
    where e.agency_id = ${agencyId} and ${which} limit ${sql.ref(bound)}) counted)`;
}

const WaitingRow = z.object({ id: z.string() });

/**
 * Tells the executions that wait for these events in their conversations to look again. Events name the conversation
 * that another one became; an execution keeps the one in which it began.
 */
async function tellWaiting(tx: Tx, agencyId: string, events: readonly NewEvent[]): Promise<void> {
  const acked = conversationsOf(events.filter(({ event }) => event === 'message.ack'));
  const others = conversationsOf(events.filter(({ event }) => event !== 'message.ack'));
  if (acked.length === 0 && others.length === 0) return;
  const named = [...acked, ...others];
  const waiting = await rows(tx, WaitingRow)`
    select distinct e.id from unnest(${named}::text[]) named(id) cross join ids_of_conversation(named.id) as own(id)
    join automation_execution e on e.conversation_id = own.id
    where e.agency_id = ${agencyId} and e.status = 'running' and e.waits_for is not null
      and (e.waits_for = 'ack' or named.id = any(${others}::text[]))`;
  if (waiting.length === 0) return;
  await run(tx)`${insertTold(
    'runAutomation',
    'changed',
    waiting.map(({ id }) => ({ key: id, agencyId })),
  )}`;
  tx.wake('dispatch');
}

function conversationsOf(events: readonly NewEvent[]): string[] {
  return [...new Set(events.flatMap(({ conversationId }) => conversationId ?? []))];
}
