import type { TextFilter } from '../automations/text-filter.ts';
import type { Trigger } from '../automations/trigger.ts';
import type { FlowFunctionName } from './functions/registry.ts';
import type { Json } from './json.ts';

/** Rises when the interpreter changes in a way that a running workflow would notice. A run keeps its version. */
export const SEMANTICS_VERSION = 1;

/** A value that a tenant sets when it enables a workflow. */
export interface Param {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  title?: string | undefined;
  description?: string | undefined;
  default?: Json | undefined;
  enum?: readonly (string | number)[] | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  items?: { type: 'string' } | undefined;
  maxItems?: number | undefined;
  format?: 'date-time' | 'endpoint' | undefined;
  isRequired: boolean;
}

/** The contacts for whom a schedule starts a run each. */
export interface Audience {
  /** The name of a label that the chat has. */
  label?: string | undefined;
  /** Days since the last message of the conversation. */
  silentDays?: number | undefined;
}

export interface FlowDocument {
  namespace: string;
  name: string;
  version: string;
  title: string;
  summary: string;
}

/** The place at which a run continues after a task: `next`, out of the list, the end of the run, or a later task. */
export type Then = { to: 'continue' | 'exit' | 'end' } | { to: 'task'; path: string };

/** A value with expressions in `${ }`. */
export type Template = Json;

interface TaskBase {
  /** The JSON pointer of the task, such as `/do/0/greet`. It names the task in runs and problems. */
  path: string;
  name: string;
  /** The list of the task, such as `/do`, and its place there. */
  list: string;
  place: number;
  condition: string | null;
  inputFrom: Template | undefined;
  outputAs: Template | undefined;
  exportAs: Template | undefined;
  then: Then;
}

export interface ErrorFilter {
  type?: string | undefined;
  status?: number | undefined;
  title?: string | undefined;
}

export interface RetryPolicy {
  attempts: number;
  delayMs: number;
  backoff: 'constant' | 'linear' | 'exponential';
}

export interface ListenFilter {
  type: 'message';
  text?: TextFilter | undefined;
}

export type FlowTask = TaskBase &
  (
    | { kind: 'do'; body: string }
    | { kind: 'set'; value: Template }
    | { kind: 'switch'; cases: readonly { name: string; when: string | null; then: Then }[] }
    | { kind: 'for'; each: string; at: string; in: string; while: string | null; body: string }
    | { kind: 'wait'; duration: Template }
    | { kind: 'call'; function: FlowFunctionName; with: Template }
    | {
        kind: 'try';
        body: string;
        errors: ErrorFilter;
        as: string;
        when: string | null;
        exceptWhen: string | null;
        retry: RetryPolicy | null;
        handler: string | null;
      }
    | { kind: 'raise'; error: Template }
    | { kind: 'listen'; mode: 'one' | 'any' | 'all'; filters: readonly ListenFilter[]; timeoutMs: number | null }
  );

/** A definition that is valid. */
export interface Flow {
  document: FlowDocument;
  /** The start of its runs. Use `configureFlow` for the trigger of a tenant: it fills in the parameters. */
  trigger: Trigger;
  /** The trigger as it is written, with `${ params.<name> }`. */
  triggerTemplate: Template;
  audience: Audience | null;
  params: readonly Param[];
  /** The names of the secrets that its HTTP requests use. */
  secrets: readonly string[];
  /** The tasks by their paths. */
  tasks: ReadonlyMap<string, FlowTask>;
  /** The paths of the tasks of each list, in order; `/do` is the first list. */
  lists: ReadonlyMap<string, readonly string[]>;
}

/** The parts of a definition that lists, forms and switches read. A row keeps them, so that none of these parses it. */
export interface FlowOutline extends Pick<Flow, 'params' | 'triggerTemplate'> {
  title: string;
  summary: string;
}

export function outlineOf({ document: { title, summary }, params, triggerTemplate }: Flow): FlowOutline {
  return { title, summary, params, triggerTemplate };
}

/** An error as the standard describes it (RFC 9457), by which `catch` selects. */
export interface FlowError {
  type: string;
  status: number;
  title: string;
  detail?: string;
}

/** Reasons for which a run ends as failed. */
export const FLOW_END_REASONS = [
  'workflow_raised',
  'workflow_too_long',
  'workflow_too_large',
  'expression_failed',
  'too_many_calls',
] as const;
export type FlowEndReason = (typeof FLOW_END_REASONS)[number];

/** A task that `next` has passed without help from outside, for the story of the run. */
export interface Passed {
  path: string;
  iteration: string;
  branch: string | null;
}

interface Place {
  path: string;
  /** The turns of the loops and the retries around the task, such as `2.0`. Path and iteration identify a step. */
  iteration: string;
}

/** The next act of the caller of `next`. */
export type Todo =
  | (Place & { do: 'call'; name: FlowFunctionName; input: Readonly<Record<string, unknown>> })
  | (Place & { do: 'wait'; forMs: number })
  | (Place & {
      do: 'listen';
      events: readonly ListenFilter['type'][];
      filters: readonly ListenFilter[];
      /** The message that met the last filter; the next one is written after it. */
      after: string | null;
      forMs: number;
    })
  | { do: 'end'; status: 'completed'; reason: null; output: Json }
  | { do: 'end'; status: 'failed'; reason: FlowEndReason; error: FlowError; path: string | null };

/** The result of what was to do. A `listen` whose time is over has the output null. */
export type Outcome = null | { output: unknown } | { error: FlowError };

/** The variables of expressions, by their names. */
export type Scope = Readonly<Record<string, Json>>;
/** Evaluates expressions in one scope, in order. It throws an `ExpressionError` for the first that fails. */
export type Evaluate = (
  expressions: readonly string[],
  scope: Scope,
  /** Receives the time that a thread took. */
  spent?: (ms: number) => void,
) => Promise<Json[]>;
