import { z } from 'zod';
import { SEMANTICS_VERSION } from '../flow.ts';
import type { Flow, FlowError, Scope } from '../flow.ts';
import type { Json } from '../json.ts';

/** Rows hold states that this module has made, so values are not looked at again. */
const Value = z.custom<Json>((value) => value !== undefined);
const Caught = z.object({
  type: z.string(),
  status: z.number(),
  title: z.string(),
  detail: z.string().optional(),
});

/** A list of tasks or a task with a list, from the outermost to the innermost. */
const Frame = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), list: z.string(), next: z.int() }),
  z.object({ kind: z.literal('do'), path: z.string() }),
  z.object({ kind: z.literal('for'), path: z.string(), items: z.array(Value), index: z.int() }),
  z.object({ kind: z.literal('try'), path: z.string(), input: Value, attempt: z.int(), caught: Caught.nullable() }),
]);
export type Frame = z.infer<typeof Frame>;

/** The state of a run between two calls of `next`, as its row keeps it. */
export const FlowState = z.object({
  semantics: z.int(),
  facts: z.record(z.string(), Value),
  /** The output of the last task, which is the input of the next one. */
  input: Value,
  context: Value,
  frames: z.array(Frame),
  counts: z.object({ steps: z.int(), turns: z.int(), calls: z.int(), messages: z.int() }),
  /** The task whose outcome `next` receives; null before the first one. */
  current: z
    .object({
      path: z.string(),
      input: Value,
      heard: z.array(Value),
      remaining: z.array(z.int()),
      untilMs: z.number().exactOptional(),
    })
    .nullable(),
});
export type FlowState = z.infer<typeof FlowState>;

/** The facts at the start of a run. Each part is a variable of its expressions. */
export interface FlowFacts {
  params: Json;
  /** The data of the request or the webhook; null otherwise. */
  input?: Json;
  contact?: Json;
  event?: Json;
  conversation?: Json;
}

/** The state of a run that begins. */
export function begin({ document }: Flow, facts: FlowFacts): FlowState {
  const { params, input = null, contact = null, event = null, conversation = null } = facts;
  const { name, version } = document;
  return {
    semantics: SEMANTICS_VERSION,
    facts: { params, contact, event, conversation, workflow: { name, version } },
    input,
    context: {},
    frames: [{ kind: 'list', list: '/do', next: 0 }],
    counts: { steps: 0, turns: 0, calls: 0, messages: 0 },
    current: null,
  };
}

/** The turns of loops and the retries around the current task: with its path, they identify a step. */
export const iterationOf = ({ frames }: FlowState): string =>
  frames
    .flatMap((frame) => (frame.kind === 'for' ? [frame.index] : frame.kind === 'try' ? [frame.attempt] : []))
    .join('.');

/** The variables of the expressions of a task. */
export function scopeOf(flow: Flow, state: FlowState, input: Json, nowMs: number): Scope {
  const scope: Record<string, Json> = {
    ...state.facts,
    input,
    context: state.context,
    now: new Date(nowMs).toISOString(),
  };
  for (const frame of state.frames) {
    const task = frame.kind === 'list' ? undefined : flow.tasks.get(frame.path);
    if (task?.kind === 'for' && frame.kind === 'for') {
      scope[task.each] = frame.items[frame.index] ?? null;
      scope[task.at] = frame.index;
    }
    if (task?.kind === 'try' && frame.kind === 'try' && frame.caught) scope[task.as] = errorValue(frame.caught);
  }
  return scope;
}

export const errorValue = ({ type, status, title, detail }: z.infer<typeof Caught> | FlowError): Json => ({
  type,
  status,
  title,
  detail: detail ?? null,
});
