import { z } from 'zod';
import { findAutomation } from '../../db/automations/automation.ts';
import { listMoments, readPast, timeZoneOf } from '../../db/automations/past.ts';
import { readOpeningOf } from '../../db/automations/working-hours.ts';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { definitionOfFlow, findFlowText } from '../../db/flows/definition.ts';
import type { Queries } from '../../db/engine/tx.ts';
import { readAnswer } from '../../domain/automations/answers.ts';
import type { Answer } from '../../domain/automations/answers.ts';
import { DefinitionName } from '../../domain/automations/automation.ts';
import type { Definition } from '../../domain/automations/definition.ts';
import { givenPast } from '../../domain/automations/dry-run/given.ts';
import type { Past } from '../../domain/automations/dry-run/past.ts';
import { DryRun } from '../../domain/automations/dry-run/request.ts';
import { DryRunView } from '../../domain/automations/dry-run/result.ts';
import { startsOfPast } from '../../domain/automations/dry-run/starts.ts';
import { DRY_RUN_BOUNDS } from '../../domain/automations/dry-run/task.ts';
import type { DryStart, DryTask } from '../../domain/automations/dry-run/task.ts';
import { flowOfAutomation } from '../../domain/automations/name.ts';
import type { Trigger } from '../../domain/automations/trigger.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { outlineOf } from '../../domain/flows/index.ts';
import type { Scope } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { requireDefinition } from './begin.ts';
import { MAX_DEFINITION_BODY_BYTES, requireFlow } from './flow-text.ts';

/** A schedule is followed so long after the last event. */
const SCHEDULE_AFTER_MS = 7 * 86_400_000;
/** A request waits this long for its turn. */
const TURN_WITHIN_MS = 5_000;

const params = z.object({ automation: DefinitionName });

export const dryRunRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/automations/:automation/dry-run',
    auth: 'tenant',
    cost: 10,
    scope: 'read',
    operationId: 'automations.dryRun',
    summary: 'Dry-run an automation on a conversation',
    description:
      'Returns what the automation would do, step by step, without sending anything. Its code runs in ' +
      'virtual time, so days of waiting take no time.\n\nIt runs on the history of a conversation or on ' +
      'events that you give. Nothing is sent, changed or kept, and the automation does not have to be on. ' +
      'After the last event, nobody is assumed to write any more. Each run is followed separately: what it ' +
      'would send does not appear in the others. Opt-outs, labels and the name of the conversation are ' +
      'those of now. An automation that only a request begins needs `begin`. One that a schedule begins ' +
      'needs neither events nor a conversation: the runs of the next seven days are returned.',
    params,
    body: DryRun,
    maxBodyBytes: MAX_DEFINITION_BODY_BYTES,
    reply: DryRunView,
    errors: ['not_found', 'busy'],
    async handle({ scope, params: { automation }, body }, deps) {
      const { database, dryRun, dryRuns } = deps;
      const named = { name: automation, pointer: 'path/automation' };
      const stored = await requireDefinition(deps, scope.agencyId, named);
      const given = givenFlow(automation, stored.version, body);
      const definition = given?.definition ?? stored;
      const planned = await database.read(async (queries) => ({
        ...(await plan(queries, scope, { automation, definition, body })),
        flow: given?.text ?? (await findFlowText(queries, scope.agencyId, automation)),
      }));
      const giveBack = await dryRuns.acquire(scope.agencyId, TURN_WITHIN_MS);
      if (giveBack === null) {
        const detail = 'The limit of dry runs in progress is reached: repeat the request.';
        throw new EngineError('busy', detail, { headers: { 'retry-after': '5' } });
      }
      try {
        const task = planned.flow === undefined ? planned.task : { ...planned.task, flow: planned.flow };
        const runs = await dryRun(task, (atMs) =>
          database.read(({ sql }) => readOpeningOf({ sql, now: new Date(atMs) }, scope)),
        );
        return { automation, version: definition.version, ...planned.shown, runs };
      } finally {
        giveBack();
      }
    },
  }),
];

/** Reads the definition that the request gives in place of the stored one. Null without one. */
function givenFlow(automation: string, version: number, { definition, form = 'json' }: DryRun) {
  if (definition === undefined) return null;
  if (flowOfAutomation(automation) === null)
    throw invalid({ pointer: '/definition', message: 'is for a workflow, and this automation is code' });
  const { flow, text } = requireFlow({ definition, form });
  return { definition: definitionOfFlow(outlineOf(flow), version), text: { source: text.source, form: text.form } };
}

interface Wanted {
  automation: string;
  definition: Definition;
  body: DryRun;
}

/** Reads everything that a dry run needs, so that it touches the database for the working hours alone. */
async function plan(queries: Queries, scope: Scope, { automation, definition, body }: Wanted) {
  const set = body.params ?? (await findAutomation(queries, scope, automation))?.params ?? {};
  const configured = definition.configure(set);
  if ('wrong' in configured) throw invalid(configured.wrong);
  const { trigger } = configured;
  requireBeginning(trigger, body);
  const { texts, ...own } = configured.params;
  const input = readInput(definition, body);
  const answers = readAnswers(definition, body);
  const past = await pastOf(queries, scope, body);
  const timeZone = await timeZoneOf(queries, scope);
  const beginMs = body.begin && (body.begin.at === undefined ? past.events[0]?.atMs : Date.parse(body.begin.at));
  const { isOptedOut } = past;
  const found = body.begin
    ? [{ atMs: beginMs ?? queries.now.getTime(), begun: { event: 'request' }, isOptedOut }]
    : trigger.event === 'schedule'
      ? (await momentsOf(queries, timeZone, trigger, past)).map((atMs) => ({
          atMs,
          begun: { event: 'schedule' },
          isOptedOut,
        }))
      : await withinHours(queries, scope, trigger, startsOfPast(trigger, past.events, past));
  const task: DryTask = {
    definition: automation,
    params: own,
    texts: { ...definition.usual, ...texts },
    input,
    past: past.events,
    starts: found.slice(0, DRY_RUN_BOUNDS.runs),
    repliesBeginNone: trigger.event === 'message' && trigger.isReply === false && !body.begin,
    isWithPerson: past.isWithPerson,
    contactName: past.contactName,
    // A run of a schedule has no conversation.
    conversationId: trigger.event === 'schedule' && !body.begin ? null : (body.conversationId ?? 'cnv_dry_run'),
    language: z.string().catch('en-GB').parse(own['language']),
    timeZone,
    acked: body.acked,
    answers,
  };
  const isCut = past.isCut || found.length > DRY_RUN_BOUNDS.runs;
  return { task, shown: { params: configured.params, eventsRead: past.events.length, isCut } };
}

/** Only a schedule and a request begin a run although nothing has happened. */
function requireBeginning(trigger: Trigger, { conversationId, events, begin }: DryRun): void {
  if (begin !== undefined || trigger.event === 'schedule' || conversationId !== undefined) return;
  if (events === undefined) {
    const message = 'is required, unless the request has `events` or, to begin one run as a request would, `begin`';
    throw invalid({ pointer: '/conversationId', message });
  }
  if (events.length > 0) return;
  throw invalid({ pointer: '/events', message: 'must not be empty, unless the request has `begin`' });
}

function readInput(definition: Definition, { begin }: DryRun): Record<string, unknown> | null {
  if (!begin) return null;
  const read = definition.readInput(begin.input);
  if (!('wrong' in read)) return read.input;
  throw invalid(read.wrong.map(({ pointer, message }) => ({ pointer: `/begin${pointer}`, message })));
}

function readAnswers({ answers: forms }: Definition, { answers = {} }: DryRun): Record<string, Answer> {
  const read = Object.entries(answers).map(([name, given]): [string, Answer] => {
    const form = forms[name];
    if (!form) throw invalid({ pointer: `/answers/${name}`, message: 'is not an answer that the automation reads' });
    const found = readAnswer(form, given, `/answers/${name}`);
    if ('wrong' in found) throw invalid(found.wrong);
    return [name, found.answer];
  });
  return Object.fromEntries(read);
}

async function pastOf(queries: Queries, scope: Scope, body: DryRun): Promise<Past> {
  const { conversationId, events = [], contactName = null } = body;
  if (conversationId === undefined) return givenPast(events, contactName);
  const conversation = await findConversationInScope(queries, scope, conversationId);
  if (!conversation) throw notFound('conversation', '/conversationId');
  return readPast(queries, scope, conversation.id, DRY_RUN_BOUNDS.events);
}

async function momentsOf(
  queries: Queries,
  timeZone: string,
  { at, days }: Trigger & { event: 'schedule' },
  { events }: Past,
): Promise<number[]> {
  const nowMs = queries.now.getTime();
  const [fromMs, lastMs] = [events[0]?.atMs ?? nowMs, events.at(-1)?.atMs ?? nowMs];
  const toMs = lastMs + SCHEDULE_AFTER_MS;
  return listMoments(queries, timeZone, { at, days: days ?? null, fromMs, toMs, limit: DRY_RUN_BOUNDS.runs + 1 });
}

/** Leaves out what the tenant's working hours do not let begin, as far as runs are looked at. */
async function withinHours(
  { sql }: Queries,
  scope: Scope,
  trigger: Trigger,
  starts: readonly DryStart[],
): Promise<readonly DryStart[]> {
  if (trigger.event !== 'message' || trigger.hours === undefined) return starts;
  const held: DryStart[] = [];
  for (const start of starts) {
    if (held.length > DRY_RUN_BOUNDS.runs) break;
    const { isOpen } = await readOpeningOf({ sql, now: new Date(start.atMs) }, scope);
    if (isOpen === (trigger.hours === 'open')) held.push(start);
  }
  return held;
}
