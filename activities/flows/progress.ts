import { beginRun, countCall, findRun, keepTodo, readFacts } from '../../db/flows/run.ts';
import type { FlowRun } from '../../db/flows/run.ts';
import { readFlow } from '../../db/flows/definition.ts';
import type { StepDetail } from '../../db/automations/steps.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { EXECUTION_REASON_TEXTS } from '../../domain/automations/execution.ts';
import type { ExecutionReason, StopReason } from '../../domain/automations/execution.ts';
import { isStepFailure } from '../../domain/automations/step-failure.ts';
import { asJson, begin, FLOW_BOUNDS, next } from '../../domain/flows/index.ts';
import type { Audience, Evaluate, FlowState, Outcome, Todo } from '../../domain/flows/index.ts';
import { isOutside } from './calls.ts';

/** A task that reaches beyond the definition, with the number of the last step that it writes. */
export interface OpenTask {
  number: number;
  todo: Exclude<Todo, { do: 'end' }>;
}

/** The end of a run, with the task at which it failed. */
export type FlowEnd =
  { status: 'completed'; reason: null } | { status: 'failed'; reason: ExecutionReason; path: string | null };

interface Means {
  database: Database;
  evaluate: Evaluate;
}

/**
 * Finds the task at hand of a run. If it is done, the interpreter goes from its result to the next one. The finding is
 * stored before any action, so a repetition does the same.
 */
export async function openTask(
  { database, evaluate }: Means,
  executionId: string,
): Promise<OpenTask | { end: FlowEnd } | { stop: StopReason } | { audience: Audience; number: number }> {
  for (;;) {
    const run =
      (await database.read((queries) => findRun(queries, executionId))) ?? (await began(database, executionId));
    if (!run) return { stop: 'switched_off' };
    // The end of a run clears its data, so that the walk would begin again.
    if (!run.isRunning) return { stop: 'requested' };
    const { todo, number } = run;
    if (todo !== null && todo.do !== 'end' && !run.isDone) return { number, todo };
    const found = await follow({ database, evaluate }, executionId, run);
    if (found === null) return { stop: 'switched_off' };
    if ('audience' in found) return { audience: found.audience, number: number + 1 };
    if (found.todo.do === 'end') return { end: endOf(found.todo) };
    const { state: after, todo: following } = found;
    const open = { number: number + stepsOf(following), todo: following };
    const keep = (tx: Tx): Promise<boolean> =>
      keepTodo(tx, executionId, { before: number, number: open.number, state: after, todo: following });
    if (!callsOut(following)) {
      if (await database.statement(keep)) return open;
      continue;
    }
    // A call beyond the bound is not stored, or a repetition would find it and make it.
    const kept = await database.transaction(async (tx) => {
      const isWithin = (await countCall(tx, executionId)) <= FLOW_BOUNDS.callsOfTenant;
      return isWithin ? keep(tx) : null;
    });
    if (kept === null) return { end: { status: 'failed', reason: 'too_many_calls', path: following.path } };
    if (kept) return open;
  }
}

async function began(database: Database, executionId: string): Promise<FlowRun | undefined> {
  return database.transaction(async (tx) => ((await beginRun(tx, executionId)) ? findRun(tx, executionId) : undefined));
}

async function follow(
  { database, evaluate }: Means,
  executionId: string,
  { flowId, version, state: before, todo, ...ended }: FlowRun,
): Promise<{ state: FlowState; todo: Todo } | { audience: Audience } | null> {
  const { flow, facts } = await database.read(async (queries) => ({
    flow: await readFlow(queries, flowId, version),
    facts: before === null ? await readFacts(queries, executionId) : null,
  }));
  if (!flow) return null;
  // A schedule has no conversation. Its run begins one for each contact of the audience.
  if (flow.audience && facts?.conversationId === null) return { audience: flow.audience };
  const { begun, contactId, contactName, conversationId, text, params = {}, input = null } = facts ?? {};
  const state =
    before ??
    begin(flow, {
      params: asJson(params),
      input: asJson(input),
      contact: { id: contactId ?? null, name: contactName ?? null },
      event: { type: begun?.event ?? 'request', text: text ?? null, messageId: begun?.messageId ?? null },
      conversation: { id: conversationId ?? null },
    });
  const outcome = todo === null || todo.do === 'end' ? null : outcomeOf(todo, ended);
  return next({ flow, state, outcome, evaluate, nowMs: database.clock.now().getTime() });
}

/** An error that nothing caught ends the run for its own reason where a run has such a reason. */
function endOf(end: Extract<Todo, { do: 'end' }>): FlowEnd {
  if (end.status === 'completed') return { status: 'completed', reason: null };
  const { path, error } = end;
  return { status: 'failed', reason: isStepFailure(error.type) ? error.type : end.reason, path };
}

/** The functions that write two steps: a message and the wait for its answer, or a look and a wait. */
const OF_TWO_STEPS: ReadonlySet<string> = new Set(['ask', 'sleepUntilWorkingHours']);

function stepsOf(todo: Todo): number {
  return todo.do === 'call' && OF_TWO_STEPS.has(todo.name) ? 2 : 1;
}

function callsOut(todo: Todo): boolean {
  return todo.do === 'call' && isOutside(todo.name);
}

const HTTP_FAULT = 500;

/** Makes the result of a task from the step that it has written. */
function outcomeOf(
  todo: OpenTask['todo'],
  { detail: written, reply, result }: Pick<FlowRun, 'detail' | 'reply' | 'result'>,
): NonNullable<Outcome> {
  const detail: StepDetail = written ?? {};
  const { failed } = detail;
  if (isStepFailure(failed)) {
    const { status = null } = detail;
    const title = EXECUTION_REASON_TEXTS[failed];
    return { error: { type: failed, status: typeof status === 'number' ? status : HTTP_FAULT, title } };
  }
  const { messageId = null, choice = null } = detail;
  if (todo.do === 'wait') return { output: null };
  if (todo.do === 'listen') {
    return { output: messageId === null ? null : { type: 'message', messageId, text: reply ?? '' } };
  }
  switch (todo.name) {
    case 'send':
    case 'sendButtons':
    case 'sendMedia':
      return { output: { messageId } };
    case 'ask':
    case 'waitForReply':
      return {
        output: { answered: messageId !== null, text: messageId === null ? null : (reply ?? ''), choice, messageId },
      };
    case 'waitForAck':
      return { output: { isReached: choice !== null && choice !== 'failed' && choice !== 'cancelled' } };
    case 'isOpen':
      return { output: { isOpen: detail['isOpen'] === true } };
    case 'http':
      return { output: result };
    case 'callWebhook':
      return { output: { status: detail['status'] ?? null } };
    default:
      return { output: {} };
  }
}
