import { randomUUID } from 'node:crypto';
import type { Random } from '../../../local/sandbox/random.ts';
import type { Account } from '../accounts.ts';

/** One request to send, which may be repeated under its key. */
export interface Request {
  round: number;
  account: Account;
  key: string;
  path: string;
  body: object;
  /**
   * The first line of each of the request's messages, in the order of the answer, by which the message is known at the
   * network.
   */
  texts: readonly string[];
}

interface Draft {
  path: string;
  body: object;
  texts: readonly string[];
}

interface Way {
  /** The number of requests of this way among a hundred. */
  share: number;
  draft(text: string, parts: { fileUrl: string; random: Random }): Draft;
}

const SEND = '/api/v1/messages/send';
const MAX_PUT_OFF_MS = 6_000;

export const TEXT: Way = { share: 40, draft: (text) => ({ path: SEND, body: { text }, texts: [text] }) };

export const BUTTONS: Way = {
  share: 8,
  draft(text) {
    const buttons = ['Yes', 'No'].map((word) => ({ type: 'reply', text: word, id: word }));
    return { path: '/api/v1/sendButtons', body: { body: text, buttons }, texts: [text] };
  },
};

export const LIST: Way = {
  share: 8,
  draft(text) {
    const rows = ['Today', 'Tomorrow'].map((title) => ({ title, rowId: title }));
    const message = { title: text, button: 'Choose', sections: [{ title: 'When', rows }] };
    return { path: '/api/v1/sendList', body: { message }, texts: [text] };
  },
};

/** Every way to send. Buttons and lists go natively or as numbered text, depending on the account's engine. */
const WAYS: readonly Way[] = [
  TEXT,
  { share: 12, draft: (text) => ({ path: SEND, body: { text, priority: 'bulk' }, texts: [text] }) },
  {
    share: 12,
    draft(text, { random }) {
      const sendAt = new Date(Date.now() + random() * MAX_PUT_OFF_MS).toISOString();
      return { path: SEND, body: { text, sendAt }, texts: [text] };
    },
  },
  {
    share: 8,
    draft: (text, { fileUrl }) => ({
      path: SEND,
      body: { text, attachments: [{ kind: 'image', url: fileUrl }] },
      texts: [text],
    }),
  },
  {
    share: 6,
    draft(text, { fileUrl }) {
      const captions = [1, 2].map((number) => `${text}, file ${number}`);
      const attachments = captions.map((caption) => ({ kind: 'document', url: fileUrl, fileName: 'a.png', caption }));
      return { path: SEND, body: { text, attachments }, texts: [text, ...captions] };
    },
  },
  {
    share: 6,
    draft: (text, { fileUrl }) => ({
      path: '/api/v1/media/send',
      body: { url: fileUrl, kind: 'image', caption: text },
      texts: [text],
    }),
  },
  BUTTONS,
  LIST,
];

export function newRequest(
  { round, account, to, text }: { round: number; account: Account; to: string; text: string },
  parts: { fileUrl: string; random: Random },
  way: Way = chosen(parts.random),
): Request {
  const { path, body, texts } = way.draft(text, parts);
  return { round, account, key: randomUUID(), path, body: { to, ...body }, texts };
}

function chosen(random: Random): Way {
  const [first, ...others] = WAYS;
  if (!first) throw new Error('There is no way to send.');
  let place = random() * WAYS.reduce((sum, { share }) => sum + share, 0);
  let way = first;
  for (const next of others) {
    place -= way.share;
    if (place < 0) break;
    way = next;
  }
  return way;
}
