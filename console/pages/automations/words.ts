import type { Tone } from '../../parts/tone.ts';

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  running: ['info', 'Running'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
  cancelled: ['quiet', 'Cancelled'],
  unfinished: ['warn', 'Not followed to its end'],
};
export const stateOf = (status: string): readonly [Tone, string] => STATES[status] ?? ['quiet', status];

const REASONS: Readonly<Record<string, string>> = {
  requested: 'Somebody asked for it',
  replaced: 'A later run took its place',
  switched_off: 'The automation was switched off',
  stopped: 'An operator stopped all automations',
  suspended: 'The dashboard was suspended',
  taken_over: 'A person took the chat over',
  opted_out: 'The customer wants no more messages',
  conversation_gone: 'The chat is gone',
  unknown_definition: 'This engine does not know the automation any more',
  code_failed: 'Its code failed: the operator finds why in Temporal',
  too_many_running: 'Too many ran at the same time',
  too_many_started: 'Too many began within a minute',
  lost: 'It was lost with the store of workflows, and can be repeated',
};
/** Why a dry run was not followed to its end. */
const UNFINISHED: Readonly<Record<string, string>> = {
  too_many_steps: 'It takes more steps than a trial follows',
  too_long: 'It goes on for longer than a year',
  beyond_context: 'It does something that a trial cannot',
  waits_for_ever: 'It waits for something that a trial does not know',
  out_of_bounds: 'It took more time or memory than a trial has',
};

/** Why a run ended as it did. */
export const reasonOf = (reason: string | null): string | null =>
  reason === null ? null : (REASONS[reason] ?? UNFINISHED[reason] ?? reason);

/** A step's name as people read it. */
export const stepOf = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The details of a step in a line; what is more than a word stays JSON. */
export const detailOf = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .map(([name, value]) => `${stepOf(name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
