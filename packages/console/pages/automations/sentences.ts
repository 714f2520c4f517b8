import { detailOf, lastsOf, stepOf } from './words.ts';

/** The steps of a run as sentences: in the past for one that ran, conditional for one that is rehearsed. */
export type Tense = 'did' | 'would';

export interface AnyStep {
  name: string;
  detail: Readonly<Record<string, unknown>>;
}

const textIn = (detail: AnyStep['detail'], name: string): string | null => {
  const value = detail[name];
  return typeof value === 'string' ? value : null;
};

const SENDS = ['send', 'sendTemplate', 'sendButtons'];
export const isSend = ({ name }: AnyStep): boolean => SENDS.includes(name);

/** The verbs, as done and as rehearsed. */
const say = (tense: Tense, past: string, base: string): string => (tense === 'did' ? past : `Would ${base}`);

const LEVELS: Readonly<Record<string, string>> = {
  pending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'played',
};

const REFUSED: Readonly<Record<string, string>> = {
  opted_out: 'the customer wants no more messages',
  no_conversation: 'the conversation no longer exists',
  no_contact: 'the conversation has no contact',
};

type Sentence = (detail: AnyStep['detail'], tense: Tense) => string;

const sends: Sentence = (detail, tense) => {
  const refused = textIn(detail, 'refused');
  if (refused !== null) return `Sent nothing: ${REFUSED[refused] ?? refused.replaceAll('_', ' ')}`;
  const text = textIn(detail, 'text');
  return say(tense, 'Sent', 'send').concat(text === null ? ' a message' : ` the text “${text}”`);
};

const waits = (what: string, found: string, none: string): Sentence => {
  return (detail, tense) => {
    if (detail['skipped'] === true) return `Waited for ${what} until a person skipped it`;
    if (typeof detail['messageId'] === 'string') {
      const choice = textIn(detail, 'choice');
      return choice === null ? found : `${found}: ${choice}`;
    }
    return detail['messageId'] === null ? none : say(tense, `Waits for ${what}`, `wait for ${what}`);
  };
};

const SENTENCES: Readonly<Record<string, Sentence>> = {
  send: sends,
  sendTemplate: sends,
  sendButtons: sends,
  waitForReply: waits('a reply', 'The customer replied', 'Nobody replied'),
  waitForAck: (detail, tense) => {
    const level = LEVELS[textIn(detail, 'level') ?? ''] ?? 'delivered';
    const reached = textIn(detail, 'choice') ?? textIn(detail, 'hasCome');
    const isReached = detail['hasCome'] === true || typeof detail['messageId'] === 'string';
    if (isReached) return `The message was ${LEVELS[reached ?? ''] ?? level}`;
    if (detail['messageId'] === null || detail['hasCome'] === false) return `The message was not ${level}`;
    return say(tense, `Waits until the message is ${level}`, `wait until the message is ${level}`);
  },
  assignHuman: (detail, tense) => {
    const to = textIn(detail, 'assignee') ?? textIn(detail, 'among') ?? 'a person';
    return say(tense, `Handed over to ${to}`, `hand over to ${to}`);
  },
  release: (_detail, tense) => say(tense, 'Gave back to the agent', 'give back to the agent'),
  sleep: (detail, tense) =>
    detail['skipped'] === true ? 'Waited until a person skipped it' : say(tense, 'Waited', 'wait'),
  isOpen: (detail, tense) => {
    const opensIn = detail['opensInMs'];
    if (detail['isOpen'] === true) return 'It is within the working hours';
    if (detail['isOpen'] !== false) return say(tense, 'Checks the working hours', 'check the working hours');
    return `It is outside the working hours${typeof opensIn === 'number' ? ` for another ${lastsOf(opensIn)}` : ''}`;
  },
  sleepUntilWorkingHours: (_detail, tense) => say(tense, 'Waited for the working hours', 'wait for the working hours'),
  remember: (_detail, tense) => say(tense, 'Saved a memory', 'save a memory'),
  label: (detail, tense) => {
    const label = textIn(detail, 'label') ?? '';
    const named = label === '' ? 'a label' : `the label “${label}”`;
    return textIn(detail, 'mode') === 'remove'
      ? say(tense, `Removed ${named}`, `remove ${named}`)
      : say(tense, `Added ${named}`, `add ${named}`);
  },
  callWebhook: (_detail, tense) => say(tense, 'Called an endpoint', 'call an endpoint'),
  askWebhook: (_detail, tense) => say(tense, 'Asked an endpoint', 'ask an endpoint'),
  askAi: (detail, tense) => {
    const { answer } = detail;
    const said = typeof answer === 'string' ? `: ${answer}` : '';
    return `${say(tense, 'Asked the model', 'ask the model')}${said}`;
  },
  log: (detail, tense) => {
    const word = textIn(detail, 'word');
    return say(tense, 'Noted', 'note').concat(word === null ? '' : ` “${word}”`);
  },
};

/** A step as a sentence. A step that only a newer engine knows has its name in words. */
export const sentenceOf = ({ name, detail }: AnyStep, tense: Tense = 'did'): string =>
  Object.hasOwn(SENTENCES, name) ? (SENTENCES[name]?.(detail, tense) ?? stepOf(name)) : stepOf(name);

/** Details that a sentence says already, or that name rows. */
const SAID: ReadonlySet<string> = new Set([
  'messageId',
  'text',
  'says',
  'choice',
  'isOpen',
  'opensInMs',
  'epoch',
  'memoryId',
  'labelId',
  'label',
  'mode',
  'word',
  'skipped',
  'refused',
  'level',
  'hasCome',
  'assignee',
  'waitsFor',
]);

/** The details that the sentence of a step does not say, one a line. */
export const restOf = ({ name, detail }: AnyStep): string => {
  const rest = Object.entries(detail).filter(([key]) => !SAID.has(key));
  return isSend({ name, detail }) && rest.every(([key]) => key !== 'buttons')
    ? ''
    : detailOf({ name: '', detail: Object.fromEntries(rest) });
};

/** A step that has not ended: the sentence in the past would claim too much. */
export const openSentenceOf = ({ name }: AnyStep, isOver: boolean): string =>
  isOver ? `${stepOf(name)}: not done` : `${stepOf(name)} …`;

/** The words that a send has taken from the settings, with their placeholders; null for other steps. */
export const templateOf = (step: AnyStep, params: Readonly<Record<string, unknown>>): string | null => {
  const name = isSend(step) ? textIn(step.detail, 'text') : null;
  const { texts } = params;
  if (name === null || typeof texts !== 'object' || texts === null) return null;
  const found = Object.entries(texts).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : null;
};

/** Tells two ways apart: neither the ids of rows nor how long a door stays shut makes another way. */
const wayOf = ({ name, detail }: AnyStep): string => {
  const { opensInMs: _opens, ...decided } = detail;
  return sentenceOf({ name, detail: decided });
};

/** A step of other runs at one place, with the number of these runs. */
export interface Instead {
  sentence: string;
  runs: number;
}

const ENDED = 'Ended here';

/** The step that another run took where it left the way of this one; null where it never did, or has not yet. */
const leftAt = (
  own: readonly string[],
  other: { ways: readonly string[]; isOver: boolean },
  isOver: boolean,
): { place: number; sentence: string } | null => {
  const place = own.findIndex((way, at) => other.ways[at] !== way);
  const at = place === -1 ? own.length : place;
  const next = other.ways[at];
  if (next !== undefined) return place === -1 && !isOver ? null : { place: at, sentence: next };
  return place !== -1 && other.isOver ? { place: at, sentence: ENDED } : null;
};

interface Way {
  steps: readonly AnyStep[];
  isOver: boolean;
}

/** Collects the ways of other runs of the same version, by the place of a step. The last place is behind the end. */
export const insteadOf = (run: Way, others: readonly Way[]): ReadonlyMap<number, readonly Instead[]> => {
  const own = run.steps.map(wayOf);
  const found = new Map<number, Instead[]>();
  for (const { steps, isOver } of others) {
    const left = leftAt(own, { ways: steps.map(wayOf), isOver }, run.isOver);
    if (left === null) continue;
    const there = found.get(left.place) ?? [];
    const same = there.find(({ sentence }) => sentence === left.sentence);
    if (same) same.runs += 1;
    else there.push({ sentence: left.sentence, runs: 1 });
    found.set(left.place, there);
  }
  for (const there of found.values()) there.sort((one, other) => other.runs - one.runs);
  return found;
};
