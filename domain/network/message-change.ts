import { z } from 'zod';

/** An emoji with all that may be joined to it is far shorter. */
export const MAX_EMOJI_LENGTH = 64;

/** The author of a change: the account itself, or a member of the chat. */
const ChangedBy = z.object({
  fromMe: z.boolean(),
  /** The chat under which the backend tells of it; null where it names none. */
  chatId: z.string().nullable(),
  /** The member of a group; null elsewhere. */
  participant: z.string().nullable(),
  /** Other addresses of the same person that the report discloses. */
  aliases: z.array(z.string()),
});
export type ChangedBy = z.infer<typeof ChangedBy>;

const change = {
  /** Identifies the change by its meaning inside its session. */
  key: z.string(),
  /** The network id of the message that is changed. */
  networkId: z.string(),
  by: ChangedBy,
  /** The time of the change in Unix milliseconds, by the clock of whoever made it. */
  at: z.number(),
  /** The time of the report in Unix milliseconds, which decides between changes of one moment. */
  toldAt: z.number(),
};

/**
 * A change of a message after it was sent. It is a schema because a change of a message that has not come yet is stored
 * as JSON and read back.
 */
export const MessageChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('edited'),
    ...change,
    editId: z.string(),
    /** The id that the edit has where no id of its own is told. Null in a stored change that was kept without it. */
    unnamedId: z.string().nullable().default(null),
    body: z.string(),
  }),
  z.object({ kind: z.literal('revoked'), ...change }),
  /** The account has read it on another of its devices, such as the phone. */
  z.object({ kind: z.literal('read'), ...change }),
  /** An empty emoji takes the reaction away. */
  z.object({ kind: z.literal('reaction'), ...change, emoji: z.string() }),
  /** All options that the voter has chosen now; null where the backend could not read the vote. */
  z.object({ kind: z.literal('vote'), ...change, options: z.array(z.string()).nullable() }),
]);
export type MessageChange = z.infer<typeof MessageChange>;
export type ChangeOf<Kind extends MessageChange['kind']> = Extract<MessageChange, { kind: Kind }>;

/** The message that a change names, as far as that decides whether whoever made the change may. */
export interface ChangedMessage {
  fromMe: boolean;
  /** True when the change came from a chat that is known to be another one. */
  isElsewhere: boolean;
  isGroup: boolean;
  participant: string | null;
}

/** The actor that revoked a message. */
export const REVOKED_BY_TEXTS = {
  account: 'The account itself, on the phone or through the API.',
  sender: 'The person who wrote it.',
  admin: 'An admin of the group.',
} as const;
export const REVOKED_BY = ['account', 'sender', 'admin'] as const satisfies readonly (keyof typeof REVOKED_BY_TEXTS)[];
export type RevokedBy = (typeof REVOKED_BY)[number];

/**
 * Decides whether a change may be applied: the network hands on what any client sends, and a client may name the
 * message of somebody else. Only who has written a message edits it. Its writer takes it back, or an admin of the group
 * does; who is one is left to the network.
 */
export function mayChange(message: ChangedMessage, { kind, by }: MessageChange): boolean {
  if (message.isElsewhere) return false;
  if (kind === 'reaction' || kind === 'vote') return true;
  if (kind === 'read') return by.fromMe && !message.fromMe;
  if (by.fromMe === message.fromMe) return by.fromMe || kind === 'revoked' || isBySender(message, by);
  return kind === 'revoked' && message.isGroup;
}

export function revokedBy(message: ChangedMessage, by: ChangedBy): RevokedBy {
  if (by.fromMe) return 'account';
  return !message.fromMe && isBySender(message, by) ? 'sender' : 'admin';
}

/** False only where two addresses of one sort differ: a hidden id and a phone may be the same person's. */
function isBySender({ isGroup, participant }: ChangedMessage, by: ChangedBy): boolean {
  if (!isGroup || participant === null || by.participant === null) return true;
  const addresses = [by.participant, ...by.aliases];
  return addresses.includes(participant) || !addresses.some((address) => sortOf(address) === sortOf(participant));
}

function sortOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
