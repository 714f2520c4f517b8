import { z } from 'zod';
import { milliseconds, setting, yesOrNo } from './forms.ts';
import { MAX_CALL_MS } from '../domain/sending/message-state.ts';
import { MAX_DAYS, MAX_MESSAGES_PER_CHAT, MAX_MESSAGES_PER_SESSION } from '../domain/sessions/sync-bounds.ts';
import { Pace } from '../domain/tenants/pace.ts';

/** The settings of sessions: their pace, when one is taken for silent, and how long a doubtful send is looked for. */
export const sessionSettings = {
  pacePerMinute: setting(
    'PACE_PER_MINUTE',
    'Sends of a session in a minute, unless its tenant sets another pace; 0 means no limit. The bundled sandbox has no limit.',
    z.coerce.number().pipe(Pace.shape.perMinute).default(60),
  ),
  paceBurst: setting(
    'PACE_BURST',
    'Sends of a session at once after a quiet time.',
    z.coerce.number().pipe(Pace.shape.burst).default(10),
  ),
  firstContactsPerDay: setting(
    'FIRST_CONTACTS_PER_DAY',
    'First messages of a session to new people in a day; 0 means no limit. A session reaches this number after a week.',
    z.coerce.number().pipe(Pace.shape.firstContactsPerDay).default(50),
  ),
  silenceChecks: setting(
    'SILENCE_CHECKS',
    'With `false`, the engine does not check working sessions for missing messages (docs/operate/runbooks/a-session-is-silent.md).',
    yesOrNo.default(true),
  ),
  silenceAfterMs: setting(
    'SILENCE_AFTER_MS',
    'The shortest silence of a session that counts as unusual, in milliseconds.',
    milliseconds.default(3_600_000),
  ),
  historyMessagesPerChat: setting(
    'HISTORY_MESSAGES_PER_CHAT',
    'Messages of each chat that the engine reads from the history, newest first. Requests can read more.',
    z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_CHAT).default(10_000),
  ),
  historyMessagesPerSession: setting(
    'HISTORY_MESSAGES_PER_SESSION',
    "Messages of an account's history. After that, the engine reads only each chat's newest messages.",
    z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_SESSION).default(500_000),
  ),
  historyDays: setting(
    'HISTORY_DAYS',
    "The maximum age of an account's history in days; 0 means no limit.",
    z.coerce.number().int().min(0).max(MAX_DAYS).default(0),
  ),
  historyEveryMs: setting(
    'HISTORY_EVERY_MS',
    "The time between reads of an account's history, in milliseconds; 0 means never.",
    milliseconds.default(86_400_000),
  ),
  auditEveryMs: setting(
    'AUDIT_EVERY_MS',
    'The time between audits of a session, in milliseconds; 0 means never. An audit compares five random chats with the backend and adds missing messages.',
    milliseconds.default(86_400_000),
  ),
  settleAbsentAfterErrorMs: setting(
    'SETTLE_ABSENT_AFTER_ERROR_MS',
    'After an error response and this time, in milliseconds, a send that is not in the chat counts as not sent.',
    milliseconds.default(10_000),
  ),
  settleAbsentAfterBreakMs: setting(
    'SETTLE_ABSENT_AFTER_BREAK_MS',
    'The same after a timeout or a broken connection, because a backend may send late.',
    milliseconds.default(150_000),
  ),
  settleLongestFileCallMs: setting(
    'SETTLE_LONGEST_FILE_CALL_MS',
    'The time, in milliseconds, in which a call with a file may still reach the network after its answer was lost.',
    milliseconds.default(MAX_CALL_MS),
  ),
  settleGiveUpAfterMs: setting(
    'SETTLE_GIVE_UP_AFTER_MS',
    'After that, the time in milliseconds until an unresolved send becomes `uncertain`; up to 15 s with the bundled sandbox.',
    milliseconds.default(300_000),
  ),
};
