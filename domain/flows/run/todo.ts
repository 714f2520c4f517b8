import { z } from 'zod';
import { Duration } from '../duration.ts';
import { FLOW_END_REASONS } from '../flow.ts';
import type { FlowError, FlowTask, Todo as TodoOfFlow } from '../flow.ts';
import { FLOW_FUNCTIONS, flowFunctionOf } from '../functions/registry.ts';
import type { FlowFunctionName } from '../functions/registry.ts';
import type { Json } from '../json.ts';
import { isJsonObject, isObject } from '../json.ts';
import { ERROR_TYPES, invalid, Raised } from './errors.ts';

interface Place {
  path: string;
  iteration: string;
}

export function waitOf(place: Place, value: Json): Extract<TodoOfFlow, { do: 'wait' }> {
  const read = Duration.safeParse(value);
  if (!read.success) throw invalid('A wait has no valid duration.', read.error.issues[0]?.message ?? '');
  return { do: 'wait', ...place, forMs: read.data };
}

export function listenOf(
  place: Place,
  { filters }: Extract<FlowTask, { kind: 'listen' }>,
  { remaining, after, forMs }: { remaining: readonly number[]; after: string | null; forMs: number },
): Extract<TodoOfFlow, { do: 'listen' }> {
  const open = filters.filter((_, index) => remaining.includes(index));
  const events = [...new Set(open.map(({ type }) => type))];
  return { do: 'listen', ...place, events, filters: open, after, forMs };
}

export function callOf(
  place: Place,
  name: FlowFunctionName,
  given: Json,
  taskInput: Json,
): Extract<TodoOfFlow, { do: 'call' }> {
  const read = flowFunctionOf(name).input.safeParse(name === 'http' ? withAddress(given, taskInput) : given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(`The arguments of ${name} do not fit.`, `${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`);
  }
  return { do: 'call', ...place, name, input: isObject(read.data) ? read.data : {} };
}

/** Fills the input of the task into the path of an address, as the standard's URI templates do. */
function withAddress(given: Json, input: Json): Json {
  if (!isJsonObject(given)) return given;
  const { endpoint = null } = given;
  if (typeof endpoint === 'string') return { ...given, endpoint: addressOf(endpoint, input) };
  if (!isJsonObject(endpoint)) return given;
  const { uri = null } = endpoint;
  return { ...given, endpoint: { ...endpoint, uri: typeof uri === 'string' ? addressOf(uri, input) : uri } };
}

function addressOf(uri: string, input: Json): string {
  return uri.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = isJsonObject(input) && Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined || value === null || typeof value === 'object')
      throw invalid('An address lacks a value.', `The input of the task has no plain value ${name}.`);
    const segment = encodeURIComponent(String(value));
    // A path of dots alone leads to another resource of the host.
    if (/^\.*$/.test(segment)) throw invalid('An address lacks a value.', `The value ${name} is empty or dots alone.`);
    return segment;
  });
}

const RaisedError = z.object({
  type: z.string().min(1),
  status: z.int().min(100).max(599),
  title: z.string().min(1),
  detail: z.string().optional(),
});

/** Reads the error of a `raise`, whose parts may be expressions. */
export function raisedOf(value: Json): FlowError {
  const read = RaisedError.safeParse(value);
  if (!read.success) throw invalid('A `raise` has no valid error.', read.error.issues[0]?.message ?? '');
  const { detail, ...error } = read.data;
  return detail === undefined ? error : { ...error, detail };
}

export const noList = (expression: string): Raised =>
  new Raised({ type: ERROR_TYPES.expression, status: 400, title: 'A `for` needs a list.', detail: expression });

const place = { path: z.string(), iteration: z.string() };
const ErrorField = z.object({
  type: z.string(),
  status: z.number(),
  title: z.string(),
  detail: z.string().exactOptional(),
});
const isName = (value: unknown): value is FlowFunctionName =>
  typeof value === 'string' && Object.hasOwn(FLOW_FUNCTIONS, value);

/** The act of the caller of `next`, as a row may keep it. */
export type Todo = TodoOfFlow;
export const Todo: z.ZodType<TodoOfFlow> = z.union([
  z.object({
    do: z.literal('call'),
    ...place,
    name: z.custom<FlowFunctionName>(isName),
    input: z.record(z.string(), z.unknown()),
  }),
  z.object({ do: z.literal('wait'), ...place, forMs: z.number() }),
  z.object({
    do: z.literal('listen'),
    ...place,
    events: z.array(z.literal('message')),
    filters: z.array(
      z.object({
        type: z.literal('message'),
        text: z.object({ is: z.enum(['equal', 'beginning', 'containing']), words: z.array(z.string()) }).optional(),
      }),
    ),
    /** The message after which the next one counts. */
    after: z.string().nullable(),
    forMs: z.number(),
  }),
  z.object({
    do: z.literal('end'),
    status: z.literal('completed'),
    reason: z.null(),
    output: z.custom<Json>((value) => value !== undefined),
  }),
  z.object({
    do: z.literal('end'),
    status: z.literal('failed'),
    reason: z.enum(FLOW_END_REASONS),
    error: ErrorField,
    path: z.string().nullable(),
  }),
]);
