import { z } from 'zod';
import { explained } from '../explained.ts';
import { ConversationId, SessionId } from '../ids.ts';
import { Target } from '../scope.ts';
import { SYNC_CAUSE_TEXTS, SYNC_CAUSES, SYNC_STATES } from './history-sync.ts';

const time = (description: string) => z.iso.datetime().nullable().meta({ description });

const fields = {
  sessionId: SessionId,
  name: z.string().meta({ description: "The session's name at the backend." }),
  state: z.enum(SYNC_STATES).meta({
    description: explained('How the reading is.', {
      never: 'Nothing was read yet: the account has not worked so far.',
      waiting: 'A run is to begin, or `error` keeps it from going on.',
      running: 'A run goes on.',
      done: 'The last run has read what the limits allow.',
      stopped: 'Somebody has stopped it. What is new is read when the account comes back, and nothing older.',
    }),
  }),
  cause: z
    .enum(SYNC_CAUSES)
    .nullable()
    .meta({ description: explained('Why the run that goes on, or the last one, has begun.', SYNC_CAUSE_TEXTS) }),
  startedAt: time('When that run began.'),
  finishedAt: time('When it ended. Null while it goes on.'),
  chats: z.int().meta({ description: 'How many chats the run has found in the list of the backend.' }),
  chatsLeft: z.int().meta({ description: 'How many of them have still to be read.' }),
  messages: z.int().meta({ description: 'How many messages the run has read.' }),
  imported: z.int().meta({ description: 'How many of them were not here before.' }),
  missed: z.int().meta({
    description: 'How many were said while the engine listened and had not come; they are told as `message`.',
  }),
  messagesPerSecond: z.number().meta({ description: 'How many messages it reads in a second, on the average.' }),
  importedInAll: z.int().meta({ description: 'How many messages of the past all runs have brought in.' }),
  limits: z
    .object({
      messagesPerChat: z.int().meta({ description: 'So many messages of a chat are read.' }),
      messagesPerSession: z.int().meta({
        description: 'Once so many were brought in, only the newest messages of each chat are read.',
      }),
      since: time('What was said before is left out. Null leaves nothing out.'),
    })
    .nullable()
    .meta({ description: 'The bounds of the run. Null before the first one.' }),
  isBounded: z.boolean().meta({ description: 'True where one of the limits has left something out: ask for more.' }),
  error: z.string().nullable().meta({ description: 'The code of what keeps the run from going on.' }),
  nextAt: time('When the next run comes by itself. Null while one goes on, and where none comes.'),
};

export const SyncView = z
  .object(fields)
  .meta({ id: 'Sync', description: "How far the past of a session's account has been read." });
export type SyncView = z.infer<typeof SyncView>;

export const SyncEventPayload = z.object({
  ...fields,
  timestamp: z.int().meta({ description: 'When it was told, in Unix seconds.' }),
});

/** The most that may be asked for. */
export const MAX_MESSAGES_PER_CHAT = 1_000_000;
export const MAX_MESSAGES_PER_SESSION = 20_000_000;
export const MAX_DAYS = 36_500;

const who = {
  ...Target,
  actor: z.string().min(1).max(128).optional().meta({
    description: "Who asks: a name or an id of the dashboard's own, in 1 to 128 characters. It is in the audit.",
  }),
  reason: z.string().min(1).max(500).optional().meta({
    description: 'Why, in 1 to 500 characters. It is in the audit.',
  }),
};

export const AskSync = z
  .strictObject({
    ...who,
    conversationId: ConversationId.optional().meta({ description: 'Reads this chat alone. Left out, all chats.' }),
    messagesPerChat: z
      .int()
      .min(1)
      .max(MAX_MESSAGES_PER_CHAT)
      .optional()
      .meta({
        description: `So many messages of each chat, 1 to ${MAX_MESSAGES_PER_CHAT.toLocaleString('en')}; from now on in place of the setting.`,
      }),
    messagesPerSession: z
      .int()
      .min(1)
      .max(MAX_MESSAGES_PER_SESSION)
      .optional()
      .meta({
        description: `So many messages of the account, 1 to ${MAX_MESSAGES_PER_SESSION.toLocaleString('en')}; from now on in place of the setting.`,
      }),
    days: z
      .int()
      .min(0)
      .max(MAX_DAYS)
      .optional()
      .meta({
        description: `How old they may be, 0 to ${MAX_DAYS.toLocaleString('en')} days; 0 is any age. From now on in place of the setting.`,
      }),
    events: z.boolean().optional().meta({
      description:
        'True has `message` told of each message of a contact that this brings in, with `history: true`, page by page, the newest page first.',
    }),
  })
  .meta({ id: 'AskSync', description: 'What is read of the past, and who asks for it.' });
export type AskSync = z.infer<typeof AskSync>;

export const StopSync = z.strictObject(who).meta({ id: 'StopSync', description: 'Who stops it, and why.' });
