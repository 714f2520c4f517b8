import { z } from 'zod';
import { milliseconds, setting, yesOrNo } from './config-forms.ts';
import { MAX_DAYS, MAX_MESSAGES_PER_CHAT, MAX_MESSAGES_PER_SESSION } from './domain/sessions/sync-view.ts';
import { Pace } from './domain/tenants/settings.ts';

/** The settings of sessions: their pace, when one is taken for silent, and how long a doubtful send is looked for. */
export const sessionSettings = {
  pacePerMinute: setting(
    'PACE_PER_MINUTE',
    'Sends per minute of each session, unless its tenant has set another pace; 0 is no limit. The bundled sandbox has none.',
    z.coerce.number().pipe(Pace.shape.perMinute).default(60),
  ),
  paceBurst: setting(
    'PACE_BURST',
    'Sends that a session may make at once after a quiet time.',
    z.coerce.number().pipe(Pace.shape.burst).default(10),
  ),
  firstContactsPerDay: setting(
    'FIRST_CONTACTS_PER_DAY',
    'People who have never written that a session may write to in a day, reached after a week; 0 is no limit.',
    z.coerce.number().pipe(Pace.shape.firstContactsPerDay).default(50),
  ),
  silenceChecks: setting(
    'SILENCE_CHECKS',
    'With `false` no session that says that it works is compared with its backend for messages that it has not told of (docs/operators.md).',
    yesOrNo.default(true),
  ),
  silenceAfterMs: setting(
    'SILENCE_AFTER_MS',
    'No session is found unusually quiet before it has heard nothing for this long, however busy it usually is at that hour of the week.',
    milliseconds.default(3_600_000),
  ),
  historyMessagesPerChat: setting(
    'HISTORY_MESSAGES_PER_CHAT',
    "How many messages of each chat of an account's past are read, counted from the newest; more when somebody asks for more.",
    z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_CHAT).default(10_000),
  ),
  historyMessagesPerSession: setting(
    'HISTORY_MESSAGES_PER_SESSION',
    'Once so many messages of an account were brought in, only the newest of each chat are read; more when somebody asks for more.',
    z.coerce.number().int().min(1).max(MAX_MESSAGES_PER_SESSION).default(500_000),
  ),
  historyDays: setting(
    'HISTORY_DAYS',
    "What is older than so many days is left out of an account's past; 0 leaves nothing out.",
    z.coerce.number().int().min(0).max(MAX_DAYS).default(0),
  ),
  historyEveryMs: setting(
    'HISTORY_EVERY_MS',
    'How often the chats of an account are compared with those of its backend although nothing says that something is missing; 0 never.',
    milliseconds.default(86_400_000),
  ),
  auditEveryMs: setting(
    'AUDIT_EVERY_MS',
    'How often five chats of each session, chosen by chance, are compared with its backend, and what was told to nobody is brought in; 0 never.',
    milliseconds.default(86_400_000),
  ),
  settleAbsentAfterErrorMs: setting(
    'SETTLE_ABSENT_AFTER_ERROR_MS',
    'How long after an error answer a send that the chat does not show is believed not to have gone out.',
    milliseconds.default(10_000),
  ),
  settleAbsentAfterBreakMs: setting(
    'SETTLE_ABSENT_AFTER_BREAK_MS',
    'The same after a timeout or a broken connection; a backend may send late.',
    milliseconds.default(150_000),
  ),
  settleGiveUpAfterMs: setting(
    'SETTLE_GIVE_UP_AFTER_MS',
    'How long after that a send is looked for which can be neither found nor excluded, before it is `uncertain`; 15 s at most with the bundled sandbox.',
    milliseconds.default(300_000),
  ),
};
