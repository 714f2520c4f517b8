import type { Tone } from '../../parts/tone.ts';

/** What happened, as the audit has it: "persona changed". */
export const deedOf = ({ object, action }: { object: string; action: string }): string =>
  `${object.replaceAll('_', ' ')} ${action.replaceAll('_', ' ')}`;

/** Who did it: the name that was given, else the key. */
export const whoDid = ({ actor, keyId }: { actor: string | null; keyId: string | null }): string => {
  if (actor !== null && actor !== '') return actor;
  return keyId === null ? 'the engine' : `key ${keyId}`;
};

const CAUSES: Readonly<Record<string, string>> = {
  engine_down: 'The engine was down',
  session_down: 'The account was not connected',
  backend_restarted: 'The messaging backend began anew',
  silence: 'The account said nothing for long',
  parked_events: 'Events could not be applied',
  audit: 'A comparison found something missing',
};
export const causeOf = (cause: string): string => CAUSES[cause] ?? cause;

/** The hour of a chart in the person's own time. */
export const hourOf = (at: string): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** What a state of a key is: it is over when it was revoked or has expired. */
export const keyIs = (
  key: { revokedAt: string | null; expiresAt: string | null },
  now: Date,
): 'works' | 'revoked' | 'expired' => {
  const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= now.getTime();
  if (isPast(key.revokedAt)) return 'revoked';
  return isPast(key.expiresAt) ? 'expired' : 'works';
};

/** What a link is good for now. */
export const linkIs = (
  link: { revokedAt: string | null; usedAt: string | null; expiresAt: string },
  now: Date,
): readonly [Tone, string] => {
  if (link.revokedAt !== null) return ['quiet', 'Taken back'];
  if (link.usedAt !== null) return ['info', 'Opened'];
  return Date.parse(link.expiresAt) <= now.getTime() ? ['quiet', 'Too late'] : ['good', 'Waits to be opened'];
};

export const PARKED = {
  parked: ['bad', 'Waits'],
  applied: ['good', 'Applied after all'],
  ignored: ['quiet', 'Of no account here'],
} as const satisfies Record<string, readonly [Tone, string]>;
