import type { BackendView, HealthReadAnswer } from '../../../typescript/src/index.ts';
import { durationOf } from '../../parts/times.ts';
import type { Tone } from '../../parts/tone.ts';
import { spelledOut } from '../../parts/words/word-of.ts';
import { actionIs } from '../events/words.ts';

interface Audited {
  object: string;
  action: string;
  detail?: Readonly<Record<string, unknown>> | null;
}

/** What happened, as the audit has it, in words: "Persona changed", "Endpoint: new secret". */
export const deedOf = ({ object, action, detail }: Audited): string => {
  if (object === 'endpoint') return `Endpoint: ${actionIs(action).toLowerCase()}`;
  const enabled = object === 'automation' ? detail?.['enabled'] : undefined;
  if (typeof enabled === 'boolean') return `Automation switched ${enabled ? 'on' : 'off'}`;
  return spelledOut(`${object} ${action}`);
};

/** Why a messaging backend does not work. */
export const TROUBLES: Readonly<Record<NonNullable<BackendView['trouble']>, string>> = {
  backend_unavailable: 'Not reachable',
  backend_error: 'Refuses the engine’s key',
};

/** What holds messages, by the codes of the engine, the strongest first. */
export const HOLDS: readonly (readonly [string, string])[] = [
  ['suspended', 'Suspended dashboards'],
  ['session', 'Accounts that are not connected'],
  ['restricted', 'Restrictions of the network'],
  ['pace', 'Pace and hours'],
  ['backend', 'Backends that do not answer'],
];

/** How long the oldest has waited. */
export const waitedFor = (seconds: number | null): string => (seconds === null ? '–' : durationOf(seconds * 1000));

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

export const KEY_STATES: Readonly<Record<ReturnType<typeof keyIs>, string>> = {
  works: 'Active',
  revoked: 'Revoked',
  expired: 'Expired',
};

/** What a link is good for now. */
export const linkIs = (
  link: { revokedAt: string | null; usedAt: string | null; expiresAt: string },
  now: Date,
): readonly [Tone, string] => {
  if (link.revokedAt !== null) return ['quiet', 'Revoked'];
  if (link.usedAt !== null) return ['info', 'Opened'];
  return Date.parse(link.expiresAt) <= now.getTime() ? ['quiet', 'Expired'] : ['good', 'Not opened yet'];
};

export const PARKED = {
  parked: ['bad', 'Parked'],
  applied: ['good', 'Applied'],
  ignored: ['quiet', 'No account here'],
} as const satisfies Record<string, readonly [Tone, string]>;

type Part = Pick<HealthReadAnswer['dependencies'][number], 'name' | 'ok'>;

/** The engine judges its own work beside the parts that it depends on. */
const isWork = ({ name }: Part): boolean => name === 'work';

/** The state of the engine: late work is no failure of a part. */
export const healthText = (parts: readonly Part[]): readonly [Tone, string] => {
  const failing = parts.filter(({ ok }) => !ok);
  if (failing.some((part) => !isWork(part))) return ['bad', 'Something does not work'];
  return failing.length > 0 ? ['warn', 'Work is late'] : ['good', 'Everything works'];
};

export const partText = (part: Part): readonly [Tone, string] => {
  if (part.ok) return ['good', 'Works'];
  return isWork(part) ? ['warn', 'Late'] : ['bad', 'Fails'];
};
