import { z } from 'zod';

/*
 * Content of a message beside its words and its file, as the network shows it and as rows store it. Everything here is
 * read from rows, so a bound may be widened and never narrowed.
 */

const degrees = (which: string) => z.number().meta({ description: `The ${which} in degrees.` });

export const Location = z
  .object({
    latitude: degrees('latitude'),
    longitude: degrees('longitude'),
    name: z.string().nullable().meta({ description: 'The name of the place. Null if none was given.' }),
    address: z.string().nullable().meta({ description: 'The address of the place. Null if none was given.' }),
    url: z.string().nullable().meta({ description: 'A page about the place. Null if none was given.' }),
    live: z.boolean().meta({
      description:
        'True for a live location: the position is that of its beginning. The network shows the movement ' +
        'only on phones.',
    }),
  })
  .meta({ id: 'Location', description: 'A place that a message shows.' });
export type Location = z.infer<typeof Location>;

const CardPhone = z.object({
  number: z.string().meta({ description: 'The number as written on the card.' }),
  phone: z
    .string()
    .nullable()
    .meta({ description: 'The digits under which the network knows the person. Null if the card does not say.' }),
});

export const ContactCard = z
  .object({
    name: z.string().nullable().meta({ description: 'The name on the card. Null if it has none.' }),
    organization: z.string().nullable().meta({ description: 'The organization on the card. Null if it has none.' }),
    phones: z.array(CardPhone).meta({ description: 'The phone numbers on the card.' }),
    emails: z.array(z.string()).meta({ description: 'The e-mail addresses on the card.' }),
    vcard: z.string().meta({ description: 'The card itself as a vCard, without pictures.' }),
  })
  .meta({ id: 'ContactCard', description: 'A contact card that a message carries.' });
export type ContactCard = z.infer<typeof ContactCard>;

export const Poll = z.object({
  name: z.string(),
  options: z.array(z.string()),
  multipleAnswers: z.boolean(),
});
export type Poll = z.infer<typeof Poll>;

/** The states of a call, in the order of time. */
export const CALL_STATUS_TEXTS = {
  received: 'It is ringing, or rang and nobody answered.',
  rejected: 'It was declined, or ended before anyone answered.',
  accepted: 'It was answered on the phone.',
} as const;
export const CALL_STATUSES = [
  'received',
  'rejected',
  'accepted',
] as const satisfies readonly (keyof typeof CALL_STATUS_TEXTS)[];
export type CallStatus = (typeof CALL_STATUSES)[number];

const Call = z.object({
  status: z.enum(CALL_STATUSES),
  isVideo: z.boolean(),
  isGroup: z.boolean(),
});
export type Call = z.infer<typeof Call>;

export const NOTICE_TEXTS = {
  group: 'Someone joined or left the group or has another role, or the group has another name.',
  message_pinned: 'A message was pinned or unpinned.',
  call_log: 'A call, as the chat lists it.',
  encryption: 'Information from the network about encryption or the security code.',
  system: 'Anything else that the network, and no person, has put into the chat.',
} as const;
export const NOTICE_TYPES = [
  'group',
  'message_pinned',
  'call_log',
  'encryption',
  'system',
] as const satisfies readonly (keyof typeof NOTICE_TEXTS)[];

export const Notice = z.object({
  type: z.enum(NOTICE_TYPES),
  /** The changed facts of a group. */
  group: z
    .object({
      changed: z.array(z.string()),
      name: z.string().nullable(),
      participants: z.array(z.object({ chatId: z.string(), change: z.string() })),
    })
    .exactOptional(),
});
export type Notice = z.infer<typeof Notice>;

/** The state of content that did not come with its message. */
export const CONTENT_STATE_TEXTS = {
  waiting: 'Its content has not arrived yet. Its event waits for it, for a minute at most.',
  missing: 'Its content did not arrive in time. It is shown once it arrives.',
} as const;
export const CONTENT_STATES = ['waiting', 'missing'] as const satisfies readonly (keyof typeof CONTENT_STATE_TEXTS)[];

export const NetworkContent = z.object({
  location: Location.exactOptional(),
  contacts: z.array(ContactCard).exactOptional(),
  poll: Poll.exactOptional(),
  call: Call.exactOptional(),
  notice: Notice.exactOptional(),
  /** The sender wants it to be seen once, so its file is not kept. */
  viewOnce: z.literal(true).exactOptional(),
  /** Whoever sent it has it from somebody else. */
  forwarded: z.literal(true).exactOptional(),
  /** It disappears from the phones after a time. */
  ephemeral: z.literal(true).exactOptional(),
  /** It was sent to a list of people. */
  broadcast: z.literal(true).exactOptional(),
  /** The addresses of the people whom the words name with @. */
  mentions: z.array(z.string()).exactOptional(),
  /** The network's own name of what the engine has no word for. */
  unsupported: z.string().exactOptional(),
  /** Present while the network has told of the message, and not of what it says. */
  contentState: z.enum(CONTENT_STATES).exactOptional(),
});
export type NetworkContent = z.infer<typeof NetworkContent>;
