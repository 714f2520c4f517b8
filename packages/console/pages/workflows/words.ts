import { locale, t } from '../../parts/words/t.ts';
import { spelledOut, wordOf } from '../../parts/words/word-of.ts';
import { spanOf } from './model/duration.ts';
import type { Unit } from './model/duration.ts';
import { isList, objectOf, textOf } from './model/json.ts';
import type { Json, JsonObject } from './model/json.ts';
import type { Start } from './model/start.ts';
import type { Kind, Step } from './model/steps.ts';

const FUNCTIONS: Readonly<Record<string, string>> = {
  send: t('Send a message'),
  sendButtons: t('Send a message with buttons'),
  sendMedia: t('Send a file'),
  ask: t('Ask a question'),
  waitForReply: t('Wait for a reply'),
  waitForAck: t('Wait for delivery'),
  assignHuman: t('Hand over to a person'),
  release: t('Give back to the agent'),
  letAgentAnswer: t('Let the agent answer'),
  isOpen: t('Check the working hours'),
  sleepUntilWorkingHours: t('Wait for the working hours'),
  remember: t('Save a memory'),
  label: t('Change a label'),
  log: t('Note'),
  callWebhook: t('Call an endpoint'),
  http: t('Send an HTTP request'),
};

/** The name of a function. One that only a newer engine knows has the engine's own title. */
export const functionWord = (name: string, title?: string): string =>
  Object.hasOwn(FUNCTIONS, name) ? wordOf(FUNCTIONS, name) : (title ?? spelledOut(name));

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  set: t('Keep a value'),
  switch: t('Choose by conditions'),
  for: t('Repeat for each value'),
  wait: t('Wait'),
  call: t('Call a function'),
  try: t('Try, and handle errors'),
  raise: t('Raise an error'),
  listen: t('Wait for words'),
  do: t('Group of steps'),
};

/** The names of the fields. A field that is missing here has its own name in words. */
const FIELDS: Readonly<Record<string, string>> = {
  text: t('Text'),
  within: t('Wait at most'),
  ownsFor: t('The agent is silent for'),
  choices: t('Buttons to choose from'),
  buttons: t('Buttons'),
  transactional: t('Send it after an opt-out, too'),
  url: t('URL'),
  kind: t('Kind'),
  kinds: t('Kinds of message'),
  caption: t('Caption'),
  assignee: t('Person'),
  among: t('Team'),
  reason: t('Reason'),
  days: t('Kept for days'),
  name: t('Name'),
  mode: t('Change'),
  word: t('Note'),
  detail: t('Details'),
  endpointId: t('Endpoint'),
  data: t('Data'),
  endpoint: t('URL'),
  body: t('Body'),
  output: t('Result'),
  messageId: t('Message'),
  level: t('Until it is'),
  isFirst: t('Only the first message of a contact'),
  isReply: t('Ignore replies that a run waits for'),
  hours: t('Working hours'),
  label: t('Label'),
  is: t('Comparison'),
  words: t('Words'),
  forMinutes: t('After minutes'),
  status: t('Status'),
  type: t('Type'),
  title: t('Title'),
};

export const fieldWord = (name: string): string =>
  Object.hasOwn(FIELDS, name) ? wordOf(FIELDS, name) : spelledOut(name);

const OPTIONS: Readonly<Record<string, string>> = {
  'is/equal': t('is exactly'),
  'is/beginning': t('begins with'),
  'is/containing': t('contains'),
  'hours/open': t('within the working hours'),
  'hours/closed': t('outside the working hours'),
  'mode/add': t('Add'),
  'mode/remove': t('Remove'),
  'kind/image': t('Picture'),
  'kind/video': t('Video'),
  'kind/document': t('File'),
};

/** An option of a field. Options without words of the console stay as the definition writes them. */
export const optionWord = (field: string, option: string): string => OPTIONS[`${field}/${option}`] ?? option;

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  seconds: 'second',
  minutes: 'minute',
  hours: 'hour',
  days: 'day',
};

/** Such as "2 days", in the reader's language. */
const spanWords = (count: number, unit: Unit): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: UNIT_NAMES[unit], unitDisplay: 'long' }).format(count);

/** The name of a unit beside a number, such as "days". */
export const unitWord = (unit: Unit): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: UNIT_NAMES[unit], unitDisplay: 'long' })
    .formatToParts(2)
    .filter(({ type }) => type === 'unit')
    .map(({ value }) => value)
    .join('');

const spanText = (value: Json | undefined): string => {
  const span = spanOf(value);
  return span === null ? t('a computed time') : spanWords(span.count, span.unit);
};

const SHOWN = 80;
const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text);

const callSentence = (name: string, given: JsonObject, title: string | undefined): string => {
  const text = cut(textOf(given['text']));
  switch (name) {
    case 'send':
    case 'sendButtons':
      return t('Send “{0}”', text);
    case 'ask':
      return t('Ask “{0}” and wait {1} for the answer', text, spanText(given['within']));
    case 'waitForReply':
      return t('Wait {0} for a reply', spanText(given['within']));
    case 'assignHuman': {
      const team = given['among'];
      const person = textOf(given['assignee']) || (isList(team) ? team.map(String).join(', ') : textOf(team));
      return person === '' ? functionWord(name, title) : t('Hand over to {0}', cut(person));
    }
    default: {
      const more = text || cut(textOf(given['name']) || textOf(given['url']) || textOf(given['word']));
      return more === '' ? functionWord(name, title) : `${functionWord(name, title)}: ${more}`;
    }
  }
};

/** A step as a sentence. `titleOf` knows the engine's own titles of functions. */
export const stepSentence = ({ kind, task, name }: Step, titleOf: (name: string) => string | undefined): string => {
  if (kind === null) return t('Edited as JSON');
  switch (kind) {
    case 'call': {
      const called = textOf(task['call']);
      return callSentence(called, objectOf(task['with']), titleOf(called));
    }
    case 'wait':
      return t('Wait {0}', spanText(task['wait']));
    case 'do':
      return task['if'] === undefined ? t('Group “{0}”', name) : t('Branch “{0}”', name);
    default:
      return `${KIND_WORDS[kind]}: ${name}`;
  }
};

const ANSWERED = 'input.answered';
const OPEN = 'input.isOpen';

/** The conditions that the form offers, with the expressions that they write. */
export const CONDITIONS: readonly { expression: string; words: string }[] = [
  { expression: ANSWERED, words: t('If the contact answered') },
  { expression: `!${ANSWERED}`, words: t('If nobody answered') },
  { expression: OPEN, words: t('Within the working hours') },
  { expression: `!${OPEN}`, words: t('Outside the working hours') },
];

/** The expression of a field whose `${ }` is optional. */
export const plainExpression = (text: string): string => /^\$\{\s*([^{}]*?)\s*\}$/.exec(text)?.[1] ?? text.trim();

const CHOICE = /^input\.choice == ("(?:[^"\\]|\\.)*")$/;

/** The choice for which a condition asks; null for another condition. */
export const choiceOf = (expression: string): string | null => {
  const [, quoted] = CHOICE.exec(expression) ?? [];
  return quoted === undefined ? null : String(JSON.parse(quoted));
};

export const choiceExpression = (id: string): string => `input.choice == ${JSON.stringify(id)}`;

/** A condition in words. */
export const conditionWords = (condition: string, choices: readonly { id: string; text: string }[]): string => {
  const expression = plainExpression(condition);
  const known = CONDITIONS.find((each) => each.expression === expression);
  if (known) return known.words;
  const id = choiceOf(expression);
  if (id === null) return t('If {0}', cut(expression));
  return t('If the answer is “{0}”', choices.find((choice) => choice.id === id)?.text ?? id);
};

const EVENTS: Readonly<Record<string, string>> = {
  message: t('A contact writes a message'),
  'conversation.assigned': t('A person takes a conversation over'),
  'conversation.released': t('A person gives a conversation back'),
  'conversation.labelled': t('A chat gets a label'),
  'message.ack': t('A message reaches a status'),
  'session.status': t('An account changes its status'),
  unanswered: t('Nobody answers a contact'),
  unread: t('A contact does not read a message'),
  webhook: t('Another system posts to its address'),
};

export const eventWord = (type: string): string => wordOf(EVENTS, type);

/** The days of the week in the reader's language; 0 is Sunday. */
export const dayWord = (day: number, weekday: 'long' | 'short' = 'short'): string =>
  // The first of January 2023 was a Sunday.
  new Date(Date.UTC(2023, 0, 1 + day)).toLocaleDateString(locale, { weekday, timeZone: 'UTC' });

/** The start of a workflow as a sentence. */
export const startSentence = (start: Start): string => {
  switch (start.by) {
    case 'request':
      return t('Only a request starts it');
    case 'event':
      return eventWord(start.type);
    case 'time':
      return start.days.length === 0
        ? t('Every day at {0}', start.at)
        : t('At {0} on {1}', start.at, start.days.map((day) => dayWord(day)).join(', '));
    default:
      return t('A schedule that is edited as JSON');
  }
};
