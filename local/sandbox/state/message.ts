import { z } from 'zod';

export const Kind = z.enum([
  'text',
  'image',
  'file',
  'voice',
  'video',
  'buttons',
  'list',
  'poll',
  'location',
  'contact',
]);
export type Kind = z.infer<typeof Kind>;

export const MessageMedia = z.object({
  /** The last part of the file's address under `/api/files`. */
  name: z.string(),
  mimetype: z.string(),
  filename: z.string().nullable(),
  /** Base64; absent = a placeholder of that type is served. */
  data: z.string().optional(),
});
export type MessageMedia = z.infer<typeof MessageMedia>;

/** An option that a contact can choose in a native interactive message. */
const Option = z.object({ id: z.string(), text: z.string() });
export type Option = z.infer<typeof Option>;

export const Location = z.object({ latitude: z.number(), longitude: z.number(), title: z.string() });
export const Poll = z.object({ name: z.string(), options: z.array(z.string()), multipleAnswers: z.boolean() });

/** A message as the simulated network keeps it; each engine's shape is made from this. */
export const Message = z.object({
  /** The bare id, unique per session here. */
  id: z.string(),
  chatId: z.string(),
  fromMe: z.boolean(),
  source: z.enum(['api', 'app']),
  timestamp: z.number(),
  kind: Kind,
  body: z.string(),
  ack: z.number(),
  participant: z.string().optional(),
  pushName: z.string().optional(),
  media: MessageMedia.optional(),
  /** The bare id of the quoted message. */
  replyTo: z.string().optional(),
  /** The engine passed the message on without its own store, so no event reports it and no read shows it. */
  relayed: z.boolean().optional(),
  /** The time in unix ms from which reads show it, and no event reports it; without it an event does at once. */
  shownFrom: z.number().optional(),
  /** The options that the message offers. */
  options: z.array(Option).optional(),
  /** The option that a contact has chosen by this message, and the kind of the message that offered it. */
  selected: Option.extend({ of: z.enum(['buttons', 'list']) }).optional(),
  location: Location.optional(),
  vcards: z.array(z.string()).optional(),
  poll: Poll.optional(),
  /** True for a file that its sender wants to be seen once. */
  viewOnce: z.boolean().optional(),
  /** True where it repeats another message. */
  forwarded: z.boolean().optional(),
  /** True once it was deleted for everyone. */
  revoked: z.boolean().optional(),
  /** When its sender has edited it, in unix ms. */
  editedAt: z.number().optional(),
  /** The reactions of people by their address. */
  reactions: z.record(z.string(), z.string()).optional(),
  /** When each of them has reacted, in unix ms. */
  reactedAt: z.record(z.string(), z.number()).optional(),
  /** The bare id of the account's message to which a simulated contact reacts with this one. */
  answers: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

const ACK_NAMES: Readonly<Record<number, string>> = {
  [-1]: 'ERROR',
  0: 'PENDING',
  1: 'SERVER',
  2: 'DEVICE',
  3: 'READ',
  4: 'PLAYED',
};

export const ackName = (ack: number): string => ACK_NAMES[ack] ?? 'UNKNOWN';
