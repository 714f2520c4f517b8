import type { Tone } from '../../parts/tone.ts';
import { detailOf, lastsOf, reasonOf, stepOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** The steps of a run as sentences: in the past for one that ran, conditional for one that is rehearsed. */
export type Tense = 'did' | 'would';

export interface AnyStep {
  name: string;
  detail: Readonly<Record<string, unknown>>;
  /** Null while the step is under way; a rehearsal takes no time, so its steps have none. */
  endedAt?: string | null | undefined;
}

const textIn = (detail: AnyStep['detail'], name: string): string | null => {
  const value = detail[name];
  return typeof value === 'string' ? value : null;
};

const SENDS = ['send', 'sendTemplate', 'sendButtons'];
export const isSend = ({ name }: AnyStep): boolean => SENDS.includes(name);

/** The verbs, as done and as rehearsed. */
const say = (tense: Tense, past: string, base: string): string => (tense === 'did' ? past : t('Would {0}', base));

interface Level {
  came: string;
  missed: string;
  waits: string;
  wait: string;
}
const SENT: Level = {
  came: t('The message was sent'),
  missed: t('The message was not sent'),
  waits: t('Waits until the message is sent'),
  wait: t('wait until the message is sent'),
};
const DELIVERED: Level = {
  came: t('The message was delivered'),
  missed: t('The message was not delivered'),
  waits: t('Waits until the message is delivered'),
  wait: t('wait until the message is delivered'),
};
/** A message that ended on the way stands in the place of a level. */
const LEVELS: Readonly<Record<string, Level>> = {
  pending: SENT,
  sent: SENT,
  delivered: DELIVERED,
  read: {
    came: t('The message was read'),
    missed: t('The message was not read'),
    waits: t('Waits until the message is read'),
    wait: t('wait until the message is read'),
  },
  played: {
    came: t('The message was played'),
    missed: t('The message was not played'),
    waits: t('Waits until the message is played'),
    wait: t('wait until the message is played'),
  },
};
const ENDS: Readonly<Record<string, string>> = {
  failed: t('The message failed'),
  cancelled: t('The message was cancelled'),
  uncertain: t('It is uncertain whether the message was sent'),
};

const REFUSED: Readonly<Record<string, string>> = {
  opted_out: t('the customer wants no more messages'),
  no_conversation: t('the conversation no longer exists'),
  no_contact: t('the conversation has no contact'),
};
const refusedOf = (refused: string): string => REFUSED[refused] ?? refused.replaceAll('_', ' ');

type Sentence = (detail: AnyStep['detail'], tense: Tense) => string;

const sends: Sentence = (detail, tense) => {
  const refused = textIn(detail, 'refused');
  if (refused !== null) return t('Sent nothing: {0}', refusedOf(refused));
  const text = textIn(detail, 'text');
  return text === null
    ? say(tense, t('Sent a message'), t('send a message'))
    : say(tense, t('Sent the text “{0}”', text), t('send the text “{0}”', text));
};

const waitsForReply: Sentence = (detail, tense) => {
  if (detail['skipped'] === true) return t('Waited for a reply until a person skipped it');
  if (typeof detail['messageId'] === 'string') {
    const choice = textIn(detail, 'choice');
    return choice === null ? t('The customer replied') : `${t('The customer replied')}: ${choice}`;
  }
  return detail['messageId'] === null ? t('Nobody replied') : say(tense, t('Waits for a reply'), t('wait for a reply'));
};

/** The conversation was not the run's to give. */
const isKept = ({ epoch }: AnyStep['detail']): boolean => epoch === null;

const waitsForAck: Sentence = (detail, tense) => {
  if (detail['skipped'] === true) return t('Waited for a message until a person skipped it');
  const level = LEVELS[textIn(detail, 'level') ?? ''];
  const [is, came] = [level ?? DELIVERED, textIn(detail, 'choice')];
  const late = level === undefined ? t('The message did not reach that state in time') : level.missed;
  // A rehearsal names the message that it waits for, so there only `hasCome` tells whether it came.
  if (typeof detail['hasCome'] === 'boolean') return detail['hasCome'] ? is.came : late;
  if (came !== null) return ENDS[came] ?? (LEVELS[came] ?? is).came;
  if (detail['messageId'] === null) return late;
  return say(tense, is.waits, is.wait);
};

const SENTENCES: Readonly<Record<string, Sentence>> = {
  send: sends,
  sendTemplate: sends,
  sendButtons: sends,
  waitForReply: waitsForReply,
  waitForAck: waitsForAck,
  assignHuman: (detail, tense) => {
    const to = textIn(detail, 'assignee') ?? textIn(detail, 'among') ?? t('a person');
    return say(tense, t('Handed over to {0}', to), t('hand over to {0}', to));
  },
  release: (detail, tense) =>
    isKept(detail)
      ? t('Left the conversation with its person')
      : say(tense, t('Gave back to the agent'), t('give back to the agent')),
  sleep: (detail, tense) =>
    detail['skipped'] === true ? t('Waited until a person skipped it') : say(tense, t('Waited'), t('wait')),
  isOpen: (detail, tense) => {
    const opensIn = detail['opensInMs'];
    if (detail['isOpen'] === true) return t('It is within the working hours');
    if (detail['isOpen'] !== false) return say(tense, t('Checks the working hours'), t('check the working hours'));
    return typeof opensIn === 'number'
      ? t('It is outside the working hours for another {0}', lastsOf(opensIn))
      : t('It is outside the working hours');
  },
  sleepUntilWorkingHours: (_detail, tense) =>
    say(tense, t('Waited for the working hours'), t('wait for the working hours')),
  remember: (_detail, tense) => say(tense, t('Saved a memory'), t('save a memory')),
  label: (detail, tense) => {
    const label = textIn(detail, 'label') ?? '';
    const named = label === '' ? t('a label') : t('the label “{0}”', label);
    return textIn(detail, 'mode') === 'remove'
      ? say(tense, t('Removed {0}', named), t('remove {0}', named))
      : say(tense, t('Added {0}', named), t('add {0}', named));
  },
  callWebhook: (_detail, tense) => say(tense, t('Called an endpoint'), t('call an endpoint')),
  askWebhook: (_detail, tense) => say(tense, t('Asked an endpoint'), t('ask an endpoint')),
  askAi: (detail, tense) => {
    const { answer } = detail;
    const said = typeof answer === 'string' ? `: ${answer}` : '';
    return `${say(tense, t('Asked the model'), t('ask the model'))}${said}`;
  },
  log: (detail, tense) => {
    const word = textIn(detail, 'word');
    return say(tense, t('Noted'), t('note')).concat(word === null ? '' : ` “${word}”`);
  },
};

/** Why a step did nothing; null for one that did its work. */
const undoneOf = ({ name, detail }: AnyStep): string | null => {
  const [failed, refused] = [textIn(detail, 'failed'), textIn(detail, 'refused')];
  if (failed !== null) return t('{0}: failed. {1}', stepOf(name), reasonOf(failed) ?? '').trim();
  return refused === null || isSend({ name, detail })
    ? null
    : t('{0}: not done, {1}', stepOf(name), refusedOf(refused));
};

/** A step as a sentence. A step that only a newer engine knows has its name in words. */
export const sentenceOf = (step: AnyStep, tense: Tense = 'did'): string =>
  undoneOf(step) ??
  (Object.hasOwn(SENTENCES, step.name) ? SENTENCES[step.name]?.(step.detail, tense) : undefined) ??
  stepOf(step.name);

/** The mark of a step that has ended: only one that did its work has the good one. */
export const toneOf = ({ name, detail }: AnyStep): Tone => {
  if (textIn(detail, 'failed') !== null || (name === 'waitForAck' && detail['choice'] === 'failed')) return 'bad';
  return textIn(detail, 'refused') !== null || (name === 'release' && isKept(detail)) ? 'warn' : 'good';
};

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
  'failed',
  'refused',
  'level',
  'hasCome',
  'assignee',
  'waitsFor',
]);

/** The details that the sentence of a step does not say, one a line. */
export const restOf = ({ name, detail }: AnyStep): string => {
  const isSent = isSend({ name, detail });
  // The words of a message stand in a quote; those of a memory stand here.
  const rest = Object.entries(detail).filter(([key]) => !SAID.has(key) || (key === 'says' && !isSent));
  return isSent && rest.every(([key]) => key !== 'buttons')
    ? ''
    : detailOf({ name: '', detail: Object.fromEntries(rest) });
};

/** A step that has not ended: the sentence in the past would claim too much. */
export const openSentenceOf = ({ name }: AnyStep, isOver: boolean): string =>
  isOver ? t('{0}: not done', stepOf(name)) : `${stepOf(name)} …`;

/** The words that a send has taken from the settings, with their placeholders; null for other steps. */
export const templateOf = (step: AnyStep, params: Readonly<Record<string, unknown>>): string | null => {
  const isSent = isSend(step) && textIn(step.detail, 'refused') === null;
  const name = isSent ? textIn(step.detail, 'text') : null;
  const { texts } = params;
  if (name === null || typeof texts !== 'object' || texts === null) return null;
  const found = Object.entries(texts).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : null;
};

/** Tells two ways apart: neither the ids of rows nor how long a door stays shut makes another way. */
const wayOf = ({ name, detail, endedAt }: AnyStep): string => {
  // A run that is over may leave a step open, which it did not do.
  if (endedAt === null) return openSentenceOf({ name, detail }, true);
  const { opensInMs: _opens, ...decided } = detail;
  return sentenceOf({ name, detail: decided });
};

/** A step of other runs at one place, with the number of these runs. */
export interface Instead {
  sentence: string;
  runs: number;
}

interface EndedWay {
  ways: readonly string[];
  isOver: boolean;
}

const ENDED = t('Ended here');

/** The step that another run took where it left the way of this one; null where it never did, or has not yet. */
const leftAt = (own: EndedWay, other: EndedWay): { place: number; sentence: string } | null => {
  const place = own.ways.findIndex((way, at) => other.ways[at] !== way);
  const at = place === -1 ? own.ways.length : place;
  const next = other.ways[at];
  if (next !== undefined) return place === -1 && !own.isOver ? null : { place: at, sentence: next };
  return place !== -1 && other.isOver ? { place: at, sentence: ENDED } : null;
};

interface Way {
  steps: readonly AnyStep[];
  isOver: boolean;
}

/** Ends the way of a run before its first open step: nobody knows yet which way that step takes. */
const endedWayOf = ({ steps, isOver }: Way): EndedWay => {
  const open = isOver ? -1 : steps.findIndex(({ endedAt }) => endedAt === null);
  return { ways: (open === -1 ? steps : steps.slice(0, open)).map(wayOf), isOver };
};

/** Collects the ways of other runs of the same version, by the place of a step. The last place is behind the end. */
export const insteadOf = (run: Way, others: readonly Way[]): ReadonlyMap<number, readonly Instead[]> => {
  const own = endedWayOf(run);
  const found = new Map<number, Instead[]>();
  for (const other of others) {
    const left = leftAt(own, endedWayOf(other));
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
