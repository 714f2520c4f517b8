import type { AutomationDryRun } from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { spelledOut, wordOf } from '../../parts/words/word-of.ts';
import { t } from '../../parts/words/t.ts';

type DryRun = AutomationDryRun['runs'][number];
/** Why a run ended, or could not be followed to its end when it was tried. */
type Reason = NonNullable<DryRun['reason']>;

const STATES: Readonly<Record<DryRun['status'] | 'running', readonly [Tone, string]>> = {
  running: ['info', t('Running')],
  completed: ['good', t('Completed')],
  failed: ['bad', t('Failed')],
  cancelled: ['quiet', t('Cancelled')],
  unfinished: ['warn', t('Not finished')],
};
export const stateOf = (status: keyof typeof STATES): readonly [Tone, string] => STATES[status];

const REASONS: Readonly<Record<Reason, string>> = {
  requested: t('Someone cancelled it.'),
  replaced: t('A later run with the same key replaced it.'),
  switched_off: t('The automation was switched off.'),
  stopped: t('The operator stopped automations.'),
  suspended: t('The dashboard was suspended.'),
  taken_over: t('A person took the conversation over.'),
  no_longer_so: t('Its reason ended before it acted.'),
  opted_out: t('The customer wants no more messages.'),
  conversation_gone: t('The conversation no longer exists, or the run began without one.'),
  unknown_definition: t('The engine no longer has this automation.'),
  code_changed: t('It restarted with other code. The operator finds both steps in Temporal.'),
  code_failed: t('The code of the automation failed. The operator finds the error in Temporal.'),
  label_unknown: t('The account has no label with this name. Create the label on the phone.'),
  not_supported_by_engine: t('The account does not support what a step needs. See its capabilities under Connect.'),
  session_not_ready: t('The account was not connected when a step needed it.'),
  backend_unavailable: t('The messaging backend did not do what a step needs.'),
  endpoint_unusable: t('The endpoint that a step calls is paused, switched off or deleted.'),
  webhook_failed: t('The endpoint that a step calls refused the request or did not respond.'),
  answer_unfit: t('The endpoint that a step calls returned something that the automation cannot use.'),
  budget_spent: t('The agent’s token budget for the day was used up.'),
  model_failed: t('No model gave a usable answer.'),
  step_failed: t('A step failed. The operator finds the error in Temporal.'),
  too_many_running: t('The agency had too many runs at the same time, so this one did not start.'),
  too_many_started: t('The agency had started too many runs within a minute, so this one did not start.'),
  http_failed: t('An HTTP request of the workflow failed.'),
  secret_missing: t('The agency has no secret with this name for the host that the workflow calls.'),
  workflow_raised: t('A task of the workflow raised an error that nothing caught.'),
  workflow_too_long: t('It took more steps than a run of a workflow may.'),
  workflow_too_large: t('Its data grew larger than a run of a workflow may hold.'),
  expression_failed: t('An expression of the workflow failed, or needed too much time or memory.'),
  too_many_calls: t('It, or its tenant in an hour, made more calls to other systems than workflows may.'),
  lost: t('The run was lost with the data of Temporal. Repeat it if you still need it.'),
  too_many_steps: t('It takes more steps than a trial can.'),
  too_long: t('It takes longer than a year.'),
  beyond_context: t('It does something that a trial cannot do.'),
  waits_for_ever: t('It waits for something that a trial cannot wait for.'),
  needs_answer: t('It depends on an answer of a model or of your system. A trial asks neither.'),
  out_of_bounds: t('It took too much time or memory.'),
};

/** Why a run ended as it did. */
export const reasonOf = (reason: string | null): string | null => (reason === null ? null : wordOf(REASONS, reason));

const WAITS = {
  reply: t('Waiting for a reply'),
  ack: t('Waiting for a message to be delivered or read'),
  time: t('Waiting until a set time'),
  turn: t('Waiting because the agency has many runs in progress'),
};

/** Returns the reason of a run's wait, for people. */
export const waitOf = (waitsFor: string | null): string | null => (waitsFor === null ? null : wordOf(WAITS, waitsFor));

/** Returns the start of a run: a request, or the event of this type. */
export const begunBy = (event: string): string => (event === 'request' ? t('a request') : t('the event {0}', event));

const STEPS = {
  send: t('Send a message'),
  sendTemplate: t('Send a message'),
  sendButtons: t('Send a message with buttons'),
  waitForReply: t('Wait for a reply'),
  waitForAck: t('Wait for delivery'),
  assignHuman: t('Hand over to a person'),
  release: t('Give back to the agent'),
  sleep: t('Wait'),
  isOpen: t('Check the working hours'),
  sleepUntilWorkingHours: t('Wait for the working hours'),
  remember: t('Save a memory'),
  label: t('Change a label'),
  callWebhook: t('Call an endpoint'),
  askWebhook: t('Ask an endpoint'),
  askAi: t('Ask the model'),
  log: t('Note'),
};

/** A step as people read it; of one that only a newer engine knows, its name in words. */
export const stepOf = (name: string): string => (Object.hasOwn(STEPS, name) ? wordOf(STEPS, name) : spelledOut(name));

/** The labels of a step's details; an empty name hides a detail that the step's words already show. */
const DETAILS = {
  says: t('Text'),
  text: '',
  buttons: t('Buttons'),
  messageId: t('Message'),
  choice: t('Chosen'),
  level: t('Until it is'),
  hasCome: t('Reached'),
  assignee: t('Assigned to'),
  among: t('Assigned to one of'),
  reason: t('Reason'),
  isOpen: t('Open now'),
  opensInMs: t('Opens in'),
  days: t('Kept for'),
  label: t('Label'),
  mode: t('Change'),
  endpointId: t('Endpoint'),
  eventId: t('Event'),
  status: t('Response'),
  data: t('Data'),
  answer: t('Answer'),
  word: t('Note'),
  waitsFor: '',
};

const VALUES: Readonly<Record<string, string>> = { 'mode:add': t('Add'), 'mode:remove': t('Remove') };

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Returns a duration in the largest unit that fits. */
export const lastsOf = (ms: number): string => {
  if (ms >= HOUR_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return ms >= MINUTE_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.round(ms / SECOND_MS)} s`;
};

const valueOf = (name: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number' && name.endsWith('Ms')) return lastsOf(value);
  if (typeof value === 'number' && name === 'days') return value === 1 ? t('1 day') : t('{0} days', value);
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
  return [...(step === 'waitForReply' && detail['messageId'] === null ? [t('Nobody replied')] : []), ...lines].join(
    '\n',
  );
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
  `${isCut ? t('at least ') : ''}${runs.length === 1 ? t('once') : t('{0} times', runs.length)}`;

/** Returns the error of a dry run's code, with its place. */
export const errorOf = ({ message, at }: { message: string; at: string | null }): string =>
  at === null
    ? t('The code of the automation failed: {0}', message)
    : t('The code of the automation failed at {0}: {1}', at, message);
