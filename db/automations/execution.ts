import { sql } from 'kysely';
import { z } from 'zod';
import { flowOfAutomation } from '../../domain/automations/name.ts';
import type { OfferedButton } from '../../domain/automations/choice.ts';
import { Begun, EXECUTION_STATUSES } from '../../domain/automations/execution.ts';
import type { ExecutionFacts, StopReason } from '../../domain/automations/execution.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { filled, saidOf, shownValues } from '../../domain/automations/texts.ts';
import type { TemplateValues } from '../../domain/automations/texts.ts';
import { unsaid } from '../../domain/automations/unsaid.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { promiseNext } from './line.ts';
import { tellBegun, tellEnd } from './execution-events.ts';
import type { ToldEnd } from './execution-events.ts';

/** Joins the conversation `c` in which a run `e` is now. A run keeps the id of the one in which it began. */
const NOW = sql`left join conversation own on own.id = e.conversation_id
  left join conversation c on c.id = conversation_now(own)`;
/** The conversation and the contact that a run `e` is about now. One that is gone leaves the ids of the run. */
const ABOUT_NOW = sql`coalesce(c.id, e.conversation_id) as "conversationId",
  coalesce(c.contact_id, e.contact_id) as "contactId"`;

const FactsRow = z.object({
  executionId: z.string(),
  definition: z.string(),
  version: z.int().nullable(),
  params: z.record(z.string(), z.unknown()),
  conversationId: z.string().nullable(),
  contactId: z.string().nullable(),
  sessionId: z.string().nullable(),
  begun: Begun,
  input: z.record(z.string(), z.unknown()).nullable(),
});
const BegunRow = FactsRow.extend({ agencyId: z.string(), tenantId: z.string(), isFirst: z.boolean() });

/**
 * Notes that an execution's workflow has begun, with which version of the code, and answers what it is about; null when
 * it has ended. The version that was noted first stays, and the event tells of it once.
 */
export async function noteBegun(
  tx: Tx,
  executionId: string,
  versions: Readonly<Record<string, number>>,
): Promise<ExecutionFacts | null> {
  const found = await row(tx, BegunRow)`
    with begun as (
      update automation_execution e set started_at = coalesce(e.started_at, ${tx.now}),
        promised_at = coalesce(e.promised_at, ${tx.now}),
        definition_version = coalesce(e.definition_version,
          (${JSON.stringify(versions)}::jsonb->>e.definition)::integer)
      from (select id, started_at from automation_execution where id = ${executionId} for no key update) was
      where e.id = was.id and e.status = 'running' returning e.*, was.started_at is null as is_first
    )
    select e.id as "executionId", e.definition, e.definition_version as version, e.params - 'texts' as params,
      ${ABOUT_NOW}, e.session_id as "sessionId", e.trigger as begun, e.agency_id as "agencyId",
      e.tenant_id as "tenantId", e.is_first as "isFirst", e.input
    from begun e ${NOW}`;
  if (!found) return null;
  const { agencyId, tenantId, isFirst, input, ...facts } = found;
  const { sessionId, conversationId, contactId, definition: automation } = facts;
  if (isFirst) tellBegun(tx, { executionId, automation, agencyId, tenantId, sessionId, conversationId, contactId });
  // A stored workflow reads its parameters and its input from rows: they may be words, which never go to Temporal.
  if (flowOfAutomation(automation) !== null) return { ...facts, params: {} };
  return input === null ? facts : { ...facts, input: unsaid(input) };
}

const Standing = z.object({
  definition: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  epoch: z.int().nullable(),
  status: z.enum(EXECUTION_STATUSES),
  reason: z.string().nullable(),
  enabled: z.boolean(),
  suspended: z.boolean(),
  isStopped: z.boolean(),
  isGone: z.boolean(),
  /** Somebody has taken the conversation over since the execution began; it stays so after a release. */
  isTakenSince: z.boolean(),
  /** Somebody other than the execution has given it to a person, who has it now. */
  isTaken: z.boolean(),
  isOptedOut: z.boolean(),
  /** The absence that started the execution is over, and the execution has done nothing visible yet. */
  isNoLongerSo: z.boolean(),
  /** The execution's messages are true only while its cause lasts: it has received nothing yet. */
  whileSo: z.boolean(),
  /** The execution itself has given the conversation to the person who has it, and nobody has done anything since. */
  hasTaken: z.boolean(),
  contactId: z.string().nullable(),
});
export type ExecutionStanding = z.output<typeof Standing>;

/** The steps that others notice. */
const VISIBLE = [
  'send',
  'sendTemplate',
  'sendButtons',
  'sendMedia',
  'assignHuman',
  'release',
  'label',
  'callWebhook',
  'askWebhook',
  'askAi',
  'http',
  'letAgentAnswer',
];
/** The steps by which an execution learns what has become of what it has said. */
const HEARS = ['waitForReply', 'waitForAck'];
/** The triggers that something has not happened. */
const ABSENCES = ['unanswered', 'unread', 'schedule'];

/**
 * Reads whether an execution may go on, before each step that others notice, under the locks of its conversation and of
 * its automation, so a takeover or a switching off that was answered is seen. The conversation's is the one that a send
 * takes: runs of one conversation that shared a weaker one would wait for each other for ever when both send.
 */
export async function standingOf(tx: Tx, executionId: string): Promise<ExecutionStanding | undefined> {
  await lockPlace(tx, executionId);
  return row(tx, Standing)`
    select e.definition, e.agency_id as "agencyId", e.tenant_id as "tenantId", e.session_id as "sessionId",
      c.id as "conversationId", c.epoch, e.status, e.reason,
      -- Runs of a deleted workflow continue if its agency wanted that.
      a.enabled or exists (select 1 from flow f where f.id = 'flw_' || substr(e.definition, 6)
        and e.definition like 'flow-%' and f.agency_id = e.agency_id and f.runs_finish) as enabled,
      is_suspended(g.status) as suspended,
      exists (select 1 from automation_stop s where s.agency_id in ('', e.agency_id)) as "isStopped",
      e.conversation_id is not null and c.id is null as "isGone", e.taken_over_at is not null as "isTakenSince",
      coalesce(t.ai_mode = 'human_takeover'
        or (c.mode = 'human_takeover' and c.epoch is distinct from e.conversation_epoch), false) as "isTaken",
      coalesce(c.mode = 'human_takeover' and c.epoch = e.conversation_epoch, false) as "hasTaken",
      is_no_longer_so(e, c.id) and not exists (select 1 from automation_step s where s.execution_id = e.id
        and s.ended_at is not null and s.name = any(${VISIBLE})) as "isNoLongerSo",
      e.trigger->>'event' = any(${ABSENCES}) and not exists (select 1 from automation_step s
        where s.execution_id = e.id and s.ended_at is not null and s.name = any(${HEARS})) as "whileSo",
      has_opted_out(c.contact_id) as "isOptedOut", c.contact_id as "contactId"
    from automation_execution e join automation a on a.id = e.automation_id join agency g on g.id = e.agency_id
    join tenant t on t.agency_id = e.agency_id and t.id = e.tenant_id
    ${NOW}
    where e.id = ${executionId}
    for share of a`;
}

const PlaceRow = z.object({ conversationId: z.string().nullable() });

/**
 * Locks the conversation of an execution. After a merge, the surviving conversation names the holder: a person who
 * takes it over there must not be interrupted. A merge locks both, so it is looked for again under the lock.
 */
export async function lockPlace(tx: Tx, executionId: string): Promise<void> {
  const placeOf = async (): Promise<string | null> => {
    const place = await row(tx, PlaceRow)`
      select conversation_now(c) as "conversationId" from automation_execution e
      left join conversation c on c.id = e.conversation_id where e.id = ${executionId}`;
    return place?.conversationId ?? null;
  };
  let locked: string | null = null;
  for (let place = await placeOf(); place !== locked; place = await placeOf()) {
    await run(tx)`select 1 from conversation where id = ${place} for no key update`;
    locked = place;
  }
}

/** The visible effects of a step. */
export interface StepKind {
  /** It is done while a person has the conversation, too. */
  besidePeople: boolean;
  /** It says something to the contact that is not transactional. */
  isForTheWilling?: boolean | undefined;
  /** Others notice it, so the first of them asks whether what began the execution is still so. */
  isVisible?: boolean | undefined;
}

/** Says why an execution must not go on; null when it may. */
export function stopOf(
  standing: ExecutionStanding,
  { besidePeople, isForTheWilling = false, isVisible = false }: StepKind,
): StopReason | null {
  if (standing.status !== 'running') return standing.reason === 'taken_over' ? 'taken_over' : 'requested';
  if (!standing.enabled) return 'switched_off';
  if (standing.isStopped) return 'stopped';
  if (standing.suspended) return 'suspended';
  if (standing.isGone) return 'conversation_gone';
  if ((standing.isTaken || standing.isTakenSince) && !besidePeople) return 'taken_over';
  if (standing.isNoLongerSo && isVisible) return 'no_longer_so';
  return standing.isOptedOut && isForTheWilling ? 'opted_out' : null;
}

/**
 * Says why an execution must not wait any longer. One that began while a person had the conversation may wait until it
 * is released; one whose conversation was taken over since has nothing to wait for.
 */
export function waitStopOf(standing: ExecutionStanding, besidePeople: boolean): StopReason | null {
  const stop = stopOf(standing, { besidePeople: true });
  return stop === null && standing.isTakenSince && !besidePeople ? 'taken_over' : stop;
}

/**
 * Notes that the execution itself has handed its conversation over, so that it may go on, and what it has said before
 * still goes out.
 */
export async function keepHands(tx: Tx, executionId: string, epoch: number): Promise<void> {
  await run(tx)`update automation_execution set conversation_epoch = ${epoch} where id = ${executionId}`;
  await run(tx)`
    update message m set conversation_epoch = ${epoch} from automation_step s
    where s.execution_id = ${executionId} and m.id = s.detail->>'messageId' and m.status = 'queued'
      and m.conversation_epoch is not null`;
}

/** `path` is the task of a stored workflow at which a run has failed. */
export type ExecutionEnd = ToldEnd & { path?: string | null };

const ToldRow = z.object({
  automation: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  contactId: z.string().nullable(),
});

/** Removes the words that a run of a stored workflow has kept. Its steps stay. A repetition reads only its input. */
async function forgetFlowData(tx: Tx, executionId: string): Promise<void> {
  await run(tx)`
    update flow_run set state = null, todo = null, result = null
    where execution_id = ${executionId} and (state is not null or todo is not null or result is not null)`;
}

/** Ends an execution, and tells it; only the first end counts. */
export async function endExecution(tx: Tx, executionId: string, { path = null, ...end }: ExecutionEnd): Promise<void> {
  const ended = await row(tx, ToldRow)`
    with e as (
      update automation_execution set status = ${end.status}, reason = ${end.reason}, failed_path = ${path},
        ended_at = ${tx.now}, waits_for = null, waits_until = null, owns_until = null
      where id = ${executionId} and status = 'running' returning *
    )
    select e.definition as automation, e.agency_id as "agencyId", e.tenant_id as "tenantId",
      e.session_id as "sessionId", ${ABOUT_NOW}
    from e ${NOW}`;
  if (!ended) return;
  await forgetFlowData(tx, executionId);
  tellEnd(tx, { executionId, ...ended, ...end });
  await promiseNext(tx, ended.agencyId);
}

const BusyRow = z.object({ name: z.string() });

/** Answers who of these has the fewest conversations; of several, any. */
export async function leastBusy(
  queries: Pick<Queries, 'sql'>,
  { agencyId, tenantId }: TenantScope,
  names: readonly string[],
): Promise<string> {
  const { name } = await one(queries, BusyRow)`
    select n.name from unnest(${names}::text[]) n(name)
    left join lateral (
      select count(*) as has from session s join conversation c on c.session_id = s.id and c.mode = 'human_takeover'
        and c.last_message_at is not null and c.assigned_to = n.name
      where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}) b on true
    order by b.has, random() limit 1`;
  return name;
}

const ReplyRow = z.object({ id: z.string(), body: z.string(), selected: z.string().nullable() });

/**
 * Finds the first message that the contact of a conversation has written since; undefined when there is none. One in
 * which nobody has said anything is no reply: its content may still come.
 */
export async function findReplySince(queries: Pick<Queries, 'sql'>, conversationId: string, since: Date) {
  const [first] = await listRepliesSince(queries, conversationId, { since, limit: 1 });
  return first;
}

/**
 * Lists the messages that {@link findReplySince} finds, the oldest first. With `after` they are those that follow this
 * message instead.
 */
export async function listRepliesSince(
  queries: Pick<Queries, 'sql'>,
  conversationId: string,
  { since, after = null, limit }: { since: Date; after?: string | null; limit: number },
): Promise<z.output<typeof ReplyRow>[]> {
  const isSince = sql`m.created_at > ${since}`;
  const isLater =
    after === null
      ? isSince
      : sql`case when exists (select from message o where o.id = ${after})
          then (m.created_at, m.id) > (select o.created_at, o.id from message o where o.id = ${after})
          else ${isSince} end`;
  return rows(queries, ReplyRow)`
    select m.id, coalesce(m.body, '') as body, m.content->'selected'->>'id' as selected
    from message m join conversation c on c.id = m.conversation_id
    where m.conversation_id = ${conversationId} and m.direction = 'in'
      and ${isLater}
      and unsaid(m, c.chat_id) is null
    order by m.created_at, m.id limit ${limit}`;
}

const OfferedRow = z.object({ id: z.string(), text: z.string() });

/** Lists the buttons that an execution has sent last, as the contact has seen them. */
export async function listOffered(queries: Pick<Queries, 'sql'>, executionId: string): Promise<OfferedButton[]> {
  return rows(queries, OfferedRow)`
    select button->>'id' as id, button->>'text' as text
    from (select s.detail->>'messageId' as message_id from automation_step s
      where s.execution_id = ${executionId} and s.name = 'sendButtons' order by s.number desc limit 1) last
    join message m on m.id = last.message_id
    cross join jsonb_array_elements(coalesce(m.content->'buttons'->'buttons', '[]')) button`;
}

const TextsRow = z.object({ texts: z.record(z.string(), z.string()).catch({}) });

/** Reads the texts that a tenant had set when the execution began, by their names. */
export async function readTexts(
  queries: Pick<Queries, 'sql'>,
  executionId: string,
): Promise<Readonly<Record<string, string>>> {
  const found = await row(queries, TextsRow)`
    select coalesce(params->'texts', '{}') as texts from automation_execution where id = ${executionId}`;
  return found?.texts ?? {};
}

const AckedRow = z.object({ status: z.string() });

/** Answers how a message stands that has come so far or has ended without; null while it may still come so far. */
export async function findAcked(
  queries: Pick<Queries, 'sql'>,
  { agencyId, tenantId }: TenantScope,
  { messageId, level }: { messageId: string; level: number },
): Promise<string | null> {
  const found = await row(queries, AckedRow)`
    select status from message where id = ${messageId} and agency_id = ${agencyId} and tenant_id = ${tenantId}
      and (ack >= ${level} or status in ('failed', 'cancelled'))`;
  return found?.status ?? null;
}

const TextRow = z.object({
  definition: z.string(),
  text: z.string().nullable(),
  name: z.string().nullable(),
  input: z.record(z.string(), z.unknown()).nullable(),
  language: z.string(),
  timeZone: z.string(),
});

/**
 * Reads one of the execution's texts, with what is known of its contact filled in. A text that the definition got after
 * the tenant had set it has its usual words.
 */
export async function textOf(
  queries: Pick<Queries, 'sql'>,
  executionId: string,
  {
    name,
    usual,
    values = {},
  }: { name: string; usual: (definition: string) => string | undefined; values?: TemplateValues },
): Promise<string> {
  const found = await one(queries, TextRow)`
    select e.definition, e.params->'texts'->>${name} as text, coalesce(k.name, k.push_name) as name, e.input,
      coalesce(e.params->>'language', 'en-GB') as language, zone_of(t.settings) as "timeZone"
    from automation_execution e join tenant t on t.agency_id = e.agency_id and t.id = e.tenant_id
    ${NOW}
    left join contact k on k.id = coalesce(c.contact_id, e.contact_id)
    where e.id = ${executionId}`;
  const text = found.text ?? usual(found.definition);
  if (text === undefined) throw new Error(`The definition has no text ${name}.`);
  return filled(text, { ...saidOf(found.input ?? {}, found), ...shownValues(values, found), name: found.name });
}
