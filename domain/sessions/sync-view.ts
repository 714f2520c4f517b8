import { z } from 'zod';
import { explained } from '../explained.ts';
import { ConversationId, SessionId } from '../ids.ts';
import { Target } from '../scope.ts';
import { SYNC_CAUSE_TEXTS, SYNC_CAUSES, SYNC_STATES } from './history-sync.ts';
import { MAX_DAYS, MAX_MESSAGES_PER_CHAT, MAX_MESSAGES_PER_SESSION } from './sync-bounds.ts';

const time = (description: string) => z.iso.datetime().nullable().meta({ description });

const fields = {
  sessionId: SessionId,
  name: z.string().meta({ description: "The session's name at the backend." }),
  state: z.enum(SYNC_STATES).meta({
    description: explained('The status of the reading.', {
      never: 'Nothing has been read yet: the account has not worked so far.',
      waiting: 'A run is about to begin, or `error` prevents it from continuing.',
      running: 'A run is in progress.',
      done: 'The last run has read what the limits allow.',
      stopped: 'Someone stopped it. New messages are read when the account comes back, older ones are not.',
    }),
  }),
  cause: z
    .enum(SYNC_CAUSES)
    .nullable()
    .meta({ description: explained('Why the run in progress, or the last one, began.', SYNC_CAUSE_TEXTS) }),
  startedAt: time('When that run began.'),
  finishedAt: time('When it ended. Null while it is in progress.'),
  chats: z.int().meta({ description: 'How many chats the run has found in the list of the backend.' }),
  chatsLeft: z.int().meta({ description: 'How many of them still have to be read.' }),
  messages: z.int().meta({ description: 'How many messages the run has read.' }),
  imported: z.int().meta({ description: 'How many of them were new to the engine.' }),
  missed: z.int().meta({
    description: 'How many were written while the engine listened and had not arrived; they are reported as `message`.',
  }),
  messagesPerSecond: z.number().meta({ description: 'How many messages it reads per second, on average.' }),
  importedInAll: z.int().meta({ description: 'How many messages of the history all runs have brought in.' }),
  limits: z
    .object({
      messagesPerChat: z.int().meta({ description: 'How many messages of each chat are read.' }),
      messagesPerSession: z.int().meta({
        description: 'Once this many messages were brought in, only the newest messages of each chat are read.',
      }),
      since: time('Messages from before this time are omitted. Null omits nothing.'),
    })
    .nullable()
    .meta({ description: 'The limits of the run. Null before the first one.' }),
  isBounded: z.boolean().meta({ description: 'True if one of the limits has left something out: request more.' }),
  error: z.string().nullable().meta({ description: 'The code of the error that prevents the run from continuing.' }),
  nextAt: time(
    'When the next run starts automatically. Null while one is in progress or about to begin, and if none is planned.',
  ),
};

export const SyncView = z
  .object(fields)
  .meta({ id: 'Sync', description: "How far the history of a session's account has been read." });
export type SyncView = z.infer<typeof SyncView>;

export const SyncEventPayload = z.object({
  ...fields,
  timestamp: z.int().meta({ description: 'When it was reported, in Unix seconds.' }),
});

const who = {
  ...Target,
  actor: z.string().min(1).max(128).optional().meta({
    description: 'The person who requests it: a name or an id, 1 to 128 characters. It is in the audit log.',
  }),
  reason: z.string().min(1).max(500).optional().meta({
    description: 'The reason, 1 to 500 characters. It is in the audit.',
  }),
};

export const AskSync = z
  .strictObject({
    ...who,
    conversationId: ConversationId.optional().meta({ description: 'Reads only this chat. Defaults to all chats.' }),
    messagesPerChat: z
      .int()
      .min(1)
      .max(MAX_MESSAGES_PER_CHAT)
      .optional()
      .meta({
        description:
          `How many messages of each chat to read, 1 to ${MAX_MESSAGES_PER_CHAT.toLocaleString('en')}. Replaces the ` +
          'setting from now on.',
      }),
    messagesPerSession: z
      .int()
      .min(1)
      .max(MAX_MESSAGES_PER_SESSION)
      .optional()
      .meta({
        description:
          `How many messages of the account to read, 1 to ${MAX_MESSAGES_PER_SESSION.toLocaleString('en')}. ` +
          'Replaces the setting from now on.',
      }),
    days: z
      .int()
      .min(0)
      .max(MAX_DAYS)
      .optional()
      .meta({
        description:
          `How old the messages may be, 0 to ${MAX_DAYS.toLocaleString('en')} days; 0 is any age. Replaces the ` +
          'setting from now on.',
      }),
    events: z
      .boolean()
      .optional()
      .meta({
        description:
          'True reports each message of a contact that this brings in as `message`, with `history: true`, page by ' +
          'page, the newest page first.',
      }),
  })
  .meta({ id: 'AskSync', description: 'The part of the history to read, and the person who requests it.' });
export type AskSync = z.infer<typeof AskSync>;

export const StopSync = z
  .strictObject(who)
  .meta({ id: 'StopSync', description: 'The person who stops it, and the reason.' });
