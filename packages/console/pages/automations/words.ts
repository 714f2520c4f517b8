import type { AutomationDryRun } from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { spelledOut, wordOf } from '../../parts/words/word-of.ts';

type DryRun = AutomationDryRun['runs'][number];
/** Why a run ended, or could not be followed to its end when it was tried. */
type Reason = NonNullable<DryRun['reason']>;

const STATES: Readonly<Record<DryRun['status'] | 'running', readonly [Tone, string]>> = {
  running: ['info', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  cancelled: ['quiet', 'Cancelled'],
  unfinished: ['warn', 'Not finished'],
};
export const stateOf = (status: keyof typeof STATES): readonly [Tone, string] => STATES[status];

const REASONS: Readonly<Record<Reason, string>> = {
  requested: 'Someone cancelled it.',
  replaced: 'A later run with the same key replaced it.',
  switched_off: 'The automation was switched off.',
  stopped: 'The operator stopped automations.',
  suspended: 'The dashboard was suspended.',
  taken_over: 'A person took the conversation over.',
  no_longer_so: 'What began it was over before it did anything.',
  opted_out: 'The customer wants no more messages.',
  conversation_gone: 'The conversation no longer exists, or the run began without one.',
  unknown_definition: 'The engine no longer has this automation.',
  code_changed: 'It was begun again with other code. The operator finds both steps in Temporal.',
  code_failed: 'The code of the automation failed. The operator finds the error in Temporal.',
  label_unknown: 'The account has no label with this name. Create the label on the phone.',
  not_supported_by_engine: 'The account does not support what a step needs. See its capabilities under Connect.',
  session_not_ready: 'The account was not connected when a step needed it.',
  backend_unavailable: 'The messaging backend did not do what a step needs.',
  endpoint_unusable: 'The endpoint that a step calls is paused, switched off or deleted.',
  webhook_failed: 'The endpoint that a step calls refused the request or did not respond.',
  answer_unfit: 'The endpoint that a step calls returned something that the automation cannot use.',
  budget_spent: 'The agent’s token budget for the day was used up.',
  model_failed: 'No model gave a usable answer.',
  step_failed: 'A step failed. The operator finds the error in Temporal.',
  too_many_running: 'The agency had too many runs at the same time, so this one did not start.',
  too_many_started: 'The agency had started too many runs within a minute, so this one did not start.',
  http_failed: 'A request to another system failed.',
  secret_missing: 'The agency has not set the secret that the workflow uses for this host.',
  workflow_raised: 'A task of the workflow raised an error that nothing caught.',
  workflow_too_long: 'It took more steps than a workflow may take.',
  workflow_too_large: 'Its data grew too large.',
  expression_failed: 'An expression of the workflow failed.',
  too_many_calls: 'It made too many requests to other systems.',
  lost: 'The run was lost with the data of Temporal. Repeat it if you still need it.',
  too_many_steps: 'It takes more steps than can be tried here.',
  too_long: 'It takes longer than a year.',
  beyond_context: 'It does something that cannot be tried here.',
  waits_for_ever: 'It waits for something that cannot be tried here.',
  needs_answer: 'It depends on the answer of a model or of your own system, and nobody is asked when you try it.',
  out_of_bounds: 'It took too much time or memory.',
};

/** Why a run ended as it did. */
export const reasonOf = (reason: string | null): string | null => (reason === null ? null : wordOf(REASONS, reason));

const WAITS = {
  reply: 'Waiting for a reply',
  ack: 'Waiting for a message to be delivered or read',
  time: 'Waiting until a set time',
  turn: 'Waiting because the agency has many runs in progress',
};

/** What a run waits for, as people read it. */
export const waitOf = (waitsFor: string | null): string | null => (waitsFor === null ? null : wordOf(WAITS, waitsFor));

/** What started a run: a request, or the event of this type. */
export const begunBy = (event: string): string => (event === 'request' ? 'a request' : `the event ${event}`);

const STEPS = {
  send: 'Send a message',
  sendTemplate: 'Send a message',
  sendButtons: 'Send a message with buttons',
  waitForReply: 'Wait for a reply',
  waitForAck: 'Wait for delivery',
  assignHuman: 'Hand over to a person',
  release: 'Give back to the agent',
  sleep: 'Wait',
  isOpen: 'Check the working hours',
  sleepUntilWorkingHours: 'Wait for the working hours',
  remember: 'Save a memory',
  label: 'Change a label',
  callWebhook: 'Call an endpoint',
  askWebhook: 'Ask an endpoint',
  askAi: 'Ask the model',
  log: 'Note',
};

/** A step as people read it; of one that only a newer engine knows, its name in words. */
export const stepOf = (name: string): string => (Object.hasOwn(STEPS, name) ? wordOf(STEPS, name) : spelledOut(name));

/** What the details of a step are called; an empty name leaves out what its words say already. */
const DETAILS = {
  says: 'Text',
  text: '',
  buttons: 'Buttons',
  messageId: 'Message',
  choice: 'Chosen',
  level: 'Until it is',
  hasCome: 'Reached',
  assignee: 'Assigned to',
  among: 'Assigned to one of',
  reason: 'Reason',
  isOpen: 'Open now',
  opensInMs: 'Opens in',
  days: 'Kept for',
  label: 'Label',
  mode: 'Change',
  endpointId: 'Endpoint',
  eventId: 'Event',
  status: 'Response',
  data: 'Data',
  answer: 'Answer',
  word: 'Note',
  waitsFor: '',
};

const VALUES: Readonly<Record<string, string>> = { 'mode:add': 'Add', 'mode:remove': 'Remove' };

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long something lasts, in the largest unit that says it well. */
export const lastsOf = (ms: number): string => {
  if (ms >= HOUR_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return ms >= MINUTE_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.round(ms / SECOND_MS)} s`;
};

const valueOf = (name: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && name.endsWith('Ms')) return lastsOf(value);
  if (typeof value === 'number' && name === 'days') return value === 1 ? '1 day' : `${value} days`;
  if (typeof value === 'string') return VALUES[`${name}:${value}`] ?? value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value);
};

interface Step {
  name: string;
  detail: Readonly<Record<string, unknown>>;
}

/** The details of a step, one a line; what is null is left out, and so is what a message is called in a trial. */
export const detailOf = ({ name: step, detail }: Step): string => {
  const isTried = typeof detail['says'] === 'string';
  const lines = Object.entries(detail).flatMap(([name, value]) => {
    const title = Object.hasOwn(DETAILS, name) ? wordOf(DETAILS, name) : spelledOut(name);
    if (value === null || title === '' || (isTried && name === 'messageId')) return [];
    return [`${title}: ${valueOf(name, value)}`];
  });
  // A wait that has found nothing says so, where one that is not over says nothing yet.
  return [...(step === 'waitForReply' && detail['messageId'] === null ? ['Nobody replied'] : []), ...lines].join('\n');
};

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Parameters, one a line; those of a group, such as the texts, are named after it. */
export const paramsOf = (params: Readonly<Record<string, unknown>>, group = ''): string =>
  Object.entries(params)
    .flatMap(([name, value]) => {
      const title = group === '' ? spelledOut(name) : `${group}, ${spelledOut(name).toLowerCase()}`;
      if (value === null) return [];
      if (isGroup(value)) return Object.keys(value).length > 0 ? [paramsOf(value, title)] : [];
      return [`${title}: ${valueOf(name, value)}`];
    })
    .join('\n');

/** Such as "once", and "at least 20 times" where later runs are left out. */
export const timesOf = ({ runs, isCut }: { runs: readonly unknown[]; isCut: boolean }): string =>
  `${isCut ? 'at least ' : ''}${runs.length === 1 ? 'once' : `${runs.length} times`}`;

/** What the code of a dry run threw, and where. */
export const errorOf = ({ message, at }: { message: string; at: string | null }): string =>
  `The code of the automation failed${at === null ? '' : ` at ${at}`}: ${message}`;
