import { z } from 'zod';
import { ApiKey } from './api-key.ts';
import { Kind, Message } from './message.ts';
import { SessionConfig } from './session-settings.ts';

export const Engine = z.enum(['NOWEB', 'GOWS', 'WEBJS']);
export type Engine = z.infer<typeof Engine>;

export const Status = z.enum([
  'STOPPED',
  'STARTING',
  'SCAN_QR_CODE',
  'PASSKEY_REQUIRED',
  'PASSKEY_CONFIRMATION_REQUIRED',
  'WORKING',
  'FAILED',
]);
export type Status = z.infer<typeof Status>;

/** The quota of new chats of an account, as `me.messageCapping` shows it. Times are in Unix seconds. */
export const Capping = z.object({
  cappingStatus: z.enum(['NONE', 'FIRST_WARNING', 'SECOND_WARNING', 'CAPPED']),
  totalQuota: z.int().nonnegative().default(100),
  usedQuota: z.int().nonnegative().default(0),
  cycleEnd: z.int().nullable().default(null),
});
export type Capping = z.infer<typeof Capping>;

export const Contact = z.object({
  id: z.string(),
  name: z.string().optional(),
  pushname: z.string().optional(),
  lid: z.string().optional(),
  about: z.string().optional(),
  /** The bytes of the picture in base64; null = shows none any more. */
  picture: z.string().nullable().optional(),
});
export type Contact = z.infer<typeof Contact>;

export const Label = z.object({ id: z.string(), name: z.string(), color: z.number(), colorHex: z.string() });
export type Label = z.infer<typeof Label>;

export const SendRequest = z.object({
  seq: z.number(),
  at: z.number(),
  session: z.string(),
  route: z.string(),
  kind: Kind,
  chatId: z.string().nullable(),
  body: z.string().nullable(),
  chosenId: z.string().nullable(),
  /** The request's body, file bytes replaced by their size and digest. */
  request: z.record(z.string(), z.unknown()),
});

const inSession = { session: z.string() };

/**
 * Everything that can change the sandbox. The journal is a list of facts, and the state is the result of all of them.
 */
export const Fact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session.saved'), ...inSession, config: SessionConfig }),
  z.object({ kind: z.literal('session.deleted'), ...inSession }),
  z.object({ kind: z.literal('session.status'), ...inSession, status: Status, at: z.number() }),
  // The backend has lost the session but keeps its login, so a session made again under its name needs no scan.
  z.object({ kind: z.literal('session.lost'), ...inSession }),
  z.object({ kind: z.literal('session.started'), ...inSession }),
  z.object({
    kind: z.literal('session.linked'),
    ...inSession,
    at: z.number(),
    seed: z.number(),
    /** True when the phone's history comes with the link and not later as a fact of its own. */
    history: z.boolean().default(true),
  }),
  z.object({ kind: z.literal('session.history'), ...inSession, at: z.number(), seed: z.number() }),
  // A long past, which is made when it is read.
  z.object({
    kind: z.literal('session.past'),
    ...inSession,
    at: z.number(),
    chats: z.number(),
    messages: z.number(),
  }),
  z.object({ kind: z.literal('session.unlinked'), ...inSession }),
  z.object({ kind: z.literal('session.engine'), ...inSession, engine: Engine }),
  z.object({ kind: z.literal('session.restricted'), ...inSession, until: z.number() }),
  z.object({ kind: z.literal('session.capping'), ...inSession, capping: Capping }),
  z.object({ kind: z.literal('key.saved'), key: ApiKey }),
  z.object({ kind: z.literal('key.deleted'), id: z.string() }),
  z.object({ kind: z.literal('send.received'), send: SendRequest }),
  z.object({ kind: z.literal('send.duplicate'), seq: z.number(), id: z.string() }),
  z.object({ kind: z.literal('message.added'), ...inSession, message: Message, send: z.number().optional() }),
  z.object({ kind: z.literal('message.acked'), ...inSession, id: z.string(), ack: z.number() }),
  z.object({
    kind: z.literal('message.changed'),
    ...inSession,
    id: z.string(),
    body: z.string(),
    /** Set when it was deleted for everyone. */
    revoked: z.literal(true).optional(),
    /** In unix ms; journals of before lack it. */
    at: z.number().optional(),
  }),
  /** An empty text takes the reaction away. */
  z.object({
    kind: z.literal('message.reacted'),
    ...inSession,
    id: z.string(),
    from: z.string(),
    text: z.string(),
    /** In unix ms; journals of before lack it. */
    at: z.number().optional(),
  }),
  z.object({ kind: z.literal('chat.read'), ...inSession, chatId: z.string() }),
  z.object({ kind: z.literal('contact.saved'), ...inSession, contact: Contact }),
  z.object({ kind: z.literal('contact.blocked'), ...inSession, chatId: z.string(), blocked: z.boolean() }),
  z.object({ kind: z.literal('lid.learned'), ...inSession, lid: z.string(), pn: z.string() }),
  z.object({ kind: z.literal('label.saved'), ...inSession, label: Label }),
  z.object({ kind: z.literal('label.deleted'), ...inSession, id: z.string() }),
  z.object({ kind: z.literal('chat.labelled'), ...inSession, chatId: z.string(), labels: z.array(z.string()) }),
  // The account is taken into a group that it is not in.
  z.object({
    kind: z.literal('group.changed'),
    ...inSession,
    chatId: z.string(),
    name: z.string().optional(),
    come: z.array(z.string()),
    go: z.array(z.string()),
    promote: z.array(z.string()),
    demote: z.array(z.string()),
  }),
  z.object({ kind: z.literal('group.left'), ...inSession, chatId: z.string() }),
  z.object({
    kind: z.literal('profile.changed'),
    ...inSession,
    name: z.string().optional(),
    about: z.string().optional(),
    picture: z.string().nullable().optional(),
  }),
]);
export type Fact = z.infer<typeof Fact>;
