import { userOf } from './chat-id.ts';

/** One ack of a plan; `after` counts units of `ackDelayMs`. */
interface AckStep {
  ack: -1 | 1 | 2 | 3;
  after: number;
}

/** The way in which the HTTP call that sends to a person ends. */
export type Answer = 'accepted' | 'connection dropped' | 'error' | 'late';

export interface Person {
  /** One sentence, shown on the sandbox's page. */
  does: string;
  /** True when the message leaves for the network. */
  sent: boolean;
  answer: Answer;
  acks: readonly AckStep[];
  /** The reaction that follows, besides acks. */
  next?:
    'echo' | 'chooses' | 'hides the phone' | 'changes number' | 'phone answers' | 'session lost' | 'account restricted';
  /** True when the network knows this number. */
  onNetwork: boolean;
  /** The network knows the person under a shorter number, as it does many Brazilian ones. */
  shorterId?: true;
  /** The network knows the number only in the spelling of mobiles. */
  onlyMobile?: true;
  /** After this many units of `ackDelayMs` the chat shows what was sent, which no event tells; else at once, with one. */
  shownAfter?: number;
  /** Nothing ever shows what was sent: no event, and the chat cannot be searched for messages of the account. */
  hidesSends?: true;
}

/** `late` answers come after this many units of `ackDelayMs`: 6 s with the default of 150 ms. */
export const LATE_ANSWER_UNITS = 40;

/** The chat with a person in doubt shows nothing for this long: 15 s with the default of 150 ms. */
const IN_DOUBT_UNITS = 100;

const NORMAL: readonly AckStep[] = [
  { ack: 1, after: 1 },
  { ack: 2, after: 2 },
  { ack: 3, after: 3 },
];

const ORDINARY: Person = {
  does: 'Receives and reads: acks 1, 2 and 3.',
  sent: true,
  answer: 'accepted',
  acks: NORMAL,
  onNetwork: true,
};

/** The magic numbers: the last four digits of the recipient's phone decide what happens. */
export const PEOPLE: Readonly<Record<string, Person>> = {
  '0001': { ...ORDINARY, does: 'Reads and replies with an echo: "You said: …".', next: 'echo' },
  '0002': { ...ORDINARY, does: 'Never acks: the message stays PENDING.', acks: [] },
  '0003': {
    ...ORDINARY,
    does: 'Acks late: 20 times slower than others.',
    acks: NORMAL.map((step) => ({ ...step, after: step.after * 20 })),
  },
  '0004': {
    ...ORDINARY,
    does: 'Acks out of order: read first, then server, then device.',
    acks: [
      { ack: 3, after: 1 },
      { ack: 1, after: 2 },
      { ack: 2, after: 3 },
    ],
  },
  '0005': { ...ORDINARY, does: 'The connection drops after the message was sent.', answer: 'connection dropped' },
  '0006': { ...ORDINARY, does: 'Fails with 500 and is NOT sent.', sent: false, answer: 'error', acks: [] },
  '0007': {
    ...ORDINARY,
    does: 'The account is restricted: error ack 463 (GOWS returns 500 with the code instead).',
    acks: [{ ack: -1, after: 1 }],
    next: 'account restricted',
  },
  '0008': { ...ORDINARY, does: 'Someone replies in this chat from the account owner’s phone.', next: 'phone answers' },
  '0009': {
    ...ORDINARY,
    does: 'The session is lost after accepting: it goes to FAILED.',
    acks: [],
    next: 'session lost',
  },
  '0010': {
    ...ORDINARY,
    does: 'Is not on the network: check-exists returns no, a send gets 201 and no ack (500 on GOWS and WEBJS).',
    acks: [],
    onNetwork: false,
  },
  '0011': {
    ...ORDINARY,
    does: 'Slow: the message is sent immediately, and the HTTP response comes after 6 s.',
    answer: 'late',
  },
  '0012': { ...ORDINARY, does: 'Is sent although the response is 500.', answer: 'error' },
  '0013': {
    ...ORDINARY,
    does: 'Has a chat id that differs from its number: check-exists returns it without the fifth digit.',
    shorterId: true,
  },
  '0014': {
    ...ORDINARY,
    does: 'Chooses the second option, or the only one: presses it in native buttons and lists, answers "2" to a numbered text.',
    next: 'chooses',
  },
  '0015': {
    ...ORDINARY,
    does: 'Replies with a hidden id: the first time without the phone number, later with it.',
    next: 'hides the phone',
  },
  '0016': {
    ...ORDINARY,
    does: 'Replies, and changes the number before the second reply: the fifth digit from the end is one higher, the hidden id stays.',
    next: 'changes number',
  },
  '0017': {
    ...ORDINARY,
    does: 'Uncertain: the message is sent, the response is 500, and nothing ever shows whether it was sent. A person has to resolve it.',
    answer: 'error',
    acks: [],
    hidesSends: true,
  },
  '0018': {
    ...ORDINARY,
    does: 'In doubt, then found: the connection drops after the message was sent, and the chat shows it only after 15 s.',
    answer: 'connection dropped',
    acks: NORMAL.map(({ ack, after }) => ({ ack, after: IN_DOUBT_UNITS + 20 * after })),
    shownAfter: IN_DOUBT_UNITS,
  },
  '0019': { ...ORDINARY, does: 'Receives but does not read: acks 1 and 2.', acks: NORMAL.slice(0, 2) },
  '0029': {
    ...ORDINARY,
    does: 'Is on the network only as a mobile: 521… in Mexico, 549… in Argentina, with the ninth digit in Brazil.',
    onlyMobile: true,
  },
};

/** Stands behind a number that its owner has given up. */
export const NOBODY: Person = { ...ORDINARY, does: 'Belongs to nobody any more.', acks: [], onNetwork: false };

const MOBILE = /^(?:521|549|55\d{2}9\d{8}$)/;

export function personOf(phoneChatId: string): Person {
  const user = userOf(phoneChatId);
  const person = PEOPLE[user.slice(-4)] ?? ORDINARY;
  return person.onlyMobile && !MOBILE.test(user) ? { ...person, acks: [], onNetwork: false } : person;
}
