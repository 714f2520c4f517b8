import { z } from 'zod';
import { Location, Poll } from '../state/message.ts';

/** No backend makes an address from a name, so an event with one would only be parked. */
const Person = z
  .string()
  .regex(/@|^\+?[\d\s()-]{5,24}$/, 'must be a phone number such as +15550100020, or an address with @');

const Media = z.strictObject({
  mimetype: z.string(),
  filename: z.string().nullish(),
  /** Base64; absent = a placeholder. */
  data: z.string().optional(),
});

export const Inbound = z.object({
  from: Person,
  text: z.string().default(''),
  chatId: z.string().optional(),
  pushName: z.string().optional(),
  lid: z.string().optional(),
  id: z.string().optional(),
  timestamp: z.number().optional(),
  replyTo: z.string().optional(),
  selected: z.strictObject({ id: z.string(), text: z.string(), of: z.enum(['buttons', 'list']) }).optional(),
  media: Media.optional(),
  /** The sender wants the file to be seen once. */
  viewOnce: z.boolean().optional(),
  location: z.strictObject(Location.shape).optional(),
  vcards: z.array(z.string()).min(1).optional(),
  poll: z.strictObject({ ...Poll.shape, multipleAnswers: z.boolean().default(false) }).optional(),
});

/** An empty name takes the person out of the address book. */
export const SavedContact = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  pushname: z.string().optional(),
  lid: z.string().optional(),
  picture: z.string().nullable().optional(),
});

/** A chat of a million messages costs no more than an empty one. */
export const LongPast = z.object({
  chats: z.number().int().min(0).max(10_000),
  messages: z.number().int().min(1).max(10_000_000),
});

export const Typing = z.object({
  from: Person,
  presence: z.enum(['typing', 'recording', 'paused', 'online', 'offline']).default('typing'),
});

export const Phone = z.object({
  to: Person,
  text: z.string(),
  id: z.string().optional(),
  timestamp: z.number().optional(),
});

export const Acked = z.object({
  id: z.string(),
  ack: z.number().int().min(-1).max(4),
  /** The group member who reads the message. */
  reader: z.string().optional(),
});

export const Edited = z.object({ id: z.string(), text: z.string() });

export const Revoked = z.object({ id: z.string() });

export const Reacted = z.object({ from: Person, id: z.string(), text: z.string() });

export const Voted = z.object({
  from: Person,
  id: z.string(),
  options: z.array(z.string()).default([]),
  failed: z.boolean().default(false),
});

export const Called = z.object({
  from: Person,
  id: z.string().regex(/^[\w-]{1,128}$/),
  status: z.enum(['received', 'accepted', 'rejected']).default('received'),
  isVideo: z.boolean().default(false),
  group: z.string().optional(),
});

const Members = z.array(z.string().min(1)).optional();

/** A group that the account is not in takes it in. */
export const Grouped = z.object({
  id: z.string().regex(/@g\.us$/, 'id must be a group, which ends in @g.us'),
  name: z.string().optional(),
  come: Members,
  go: Members,
  promote: Members,
  demote: Members,
  leave: z.boolean().default(false),
});
