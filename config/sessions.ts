import { z } from 'zod';
import { milliseconds, setting, yesOrNo } from './forms.ts';
import { MAX_CALL_MS } from '../domain/sending/message-state.ts';
import { MAX_DAYS, MAX_MESSAGES_PER_CHAT, MAX_MESSAGES_PER_SESSION } from '../domain/sessions/sync-bounds.ts';
import { Pace } from '../domain/tenants/pace.ts';

/** The settings of sessions: their pace, when one is taken for silent, and how long a doubtful send is looked for. */
export const sessionSettings = {
  pacePerMinute: setting(
    'PACE_PER_MINUTE',
    'How many sends each session may make in a minute, unless its tenant has set another pace; 0 means no limit. With the bundled sandbox there is no limit.',
    z.coerce.number().pipe(Pace.shape.perMinute).default(60),
  ),
  paceBurst: setting(
    'PACE_BURST',
    'How many sends a session may make at once after a quiet time.',
    z.coerce.number().pipe(Pace.shape.burst).default(10),
  ),
  firstContactsPerDay: setting(
    'FIRST_CONTACTS_PER_DAY',
    'How many people who have never written a session may write to in a day. A session reaches this number a week after its first connection; 0 means no limit.',
    z.coerce.number().pipe(Pace.shape.firstContactsPerDay).default(50),
  ),
  silenceChecks: setting(
    'SILENCE_CHECKS',
    'With `false`, sessions that report that they work are not compared with their backend for messages that were not reported (docs/operate/runbooks/a-session-is-silent.md).',
    yesOrNo.default(true),
  ),
  silenceAfterMs: setting(
    'SILENCE_AFTER_MS',
    'A session counts as unusually quiet only after it has heard nothing for this many milliseconds, however busy it usually is at that hour of the week.',
    milliseconds.default(3_600_000),
  ),
  historyMessagesPerChat: setting(
    'HISTORY_MESSAGES_PER_CHAT',
    "How many messages of each chat in an account's history are read, counted from the newest; more if somebody requests more.",
    z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_CHAT).default(10_000),
  ),
  historyMessagesPerSession: setting(
    'HISTORY_MESSAGES_PER_SESSION',
    'After this many messages of an account were brought in, only the newest of each chat are read; more if somebody requests more.',
    z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_SESSION).default(500_000),
  ),
  historyDays: setting(
    'HISTORY_DAYS',
    "Messages older than this many days are left out of an account's history; 0 leaves nothing out.",
    z.coerce.number().int().min(0).max(MAX_DAYS).default(0),
  ),
  historyEveryMs: setting(
    'HISTORY_EVERY_MS',
    'How often, in milliseconds, the chats of an account are compared with those of its backend although nothing says that something is missing; 0 means never.',
    milliseconds.default(86_400_000),
  ),
  auditEveryMs: setting(
    'AUDIT_EVERY_MS',
    'How often, in milliseconds, five chats of each session, chosen at random, are compared with its backend, and messages that were not reported are brought in; 0 means never.',
    milliseconds.default(86_400_000),
  ),
  settleAbsentAfterErrorMs: setting(
    'SETTLE_ABSENT_AFTER_ERROR_MS',
    'How many milliseconds after an error response a send that the chat does not show is taken as not sent.',
    milliseconds.default(10_000),
  ),
  settleAbsentAfterBreakMs: setting(
    'SETTLE_ABSENT_AFTER_BREAK_MS',
    'The same after a timeout or a broken connection, because a backend may send late.',
    milliseconds.default(150_000),
  ),
  settleLongestFileCallMs: setting(
    'SETTLE_LONGEST_FILE_CALL_MS',
    'How many milliseconds after its start a call with a file may still reach the network, although its answer was lost.',
    milliseconds.default(MAX_CALL_MS),
  ),
  settleGiveUpAfterMs: setting(
    'SETTLE_GIVE_UP_AFTER_MS',
    'How many milliseconds after that the engine still looks for a send that can be neither found nor excluded, before it is `uncertain`; up to 15 s with the bundled sandbox.',
    milliseconds.default(300_000),
  ),
};
