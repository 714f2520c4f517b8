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
  /** The last part of its address under /api/files. */
  name: z.string(),
  mimetype: z.string(),
  filename: z.string().nullable(),
  /** Base64; absent = a placeholder of that type is served. */
  data: z.string().optional(),
});
export type MessageMedia = z.infer<typeof MessageMedia>;

/** What a person can choose in a native interactive message. */
const Option = z.object({ id: z.string(), text: z.string() });
export type Option = z.infer<typeof Option>;

/** A message as the simulated network keeps it, before any engine's shape is put on it. */
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
  /** The engine handed it to the network past its own store: nobody is told of it, and no read shows it. */
  relayed: z.boolean().optional(),
  /** What can be chosen in it. */
  options: z.array(Option).optional(),
  /** What a person has chosen with it, in a message of which kind. */
  selected: Option.extend({ of: z.enum(['buttons', 'list']) }).optional(),
  /** The bare id of the message of ours that a simulated person reacts to with this one. */
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
