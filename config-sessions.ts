import { z } from 'zod';
import { milliseconds, setting, yesOrNo } from './config-forms.ts';
import { Pace } from './domain/tenants/settings.ts';

/** The settings of sessions: their pace, and what makes one that says that it works be taken for silent. */
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
};
