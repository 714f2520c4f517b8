import { milliseconds, setting, yesOrNo } from './config-forms.ts';

/** The settings of what makes a session that says that it works be taken for silent. */
export const silenceSettings = {
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
