import type { BackendView, HealthReadAnswer } from '../../../typescript/src/index.ts';
import { durationOf } from '../../parts/times.ts';
import type { Tone } from '../../parts/tone.ts';
import { spelledOut } from '../../parts/words/word-of.ts';
import { actionIs } from '../events/words.ts';
import { t } from '../../parts/words/t.ts';

interface Audited {
  object: string;
  action: string;
  detail?: Readonly<Record<string, unknown>> | null;
}

/** Returns an entry of the audit log in words: "Persona changed", "Endpoint: new secret". */
export const deedOf = ({ object, action, detail }: Audited): string => {
  if (object === 'endpoint') return t('Endpoint: {0}', actionIs(action).toLowerCase());
  const enabled = object === 'automation' ? detail?.['enabled'] : undefined;
  if (typeof enabled === 'boolean') return enabled ? t('Automation switched on') : t('Automation switched off');
  return spelledOut(`${object} ${action}`);
};

/** Why a messaging backend does not work. */
export const TROUBLES: Readonly<Record<NonNullable<BackendView['trouble']>, string>> = {
  backend_unavailable: t('Not reachable'),
  backend_error: t('Refuses the engine’s key'),
};

/** The reasons that hold messages, by the codes of the engine, the strongest first. */
export const HOLDS: readonly (readonly [string, string])[] = [
  ['suspended', t('Suspended dashboards')],
  ['session', t('Accounts that are not connected')],
  ['restricted', t('Restrictions of the network')],
  ['pace', t('Pace and hours')],
  ['backend', t('Backends that do not answer')],
];

/** Returns the wait of the oldest. */
export const waitedFor = (seconds: number | null): string => (seconds === null ? '–' : durationOf(seconds * 1000));

/** Returns the state of a key: it ends when it is revoked or expires. */
export const keyIs = (
  key: { revokedAt: string | null; expiresAt: string | null },
  now: Date,
): 'works' | 'revoked' | 'expired' => {
  const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= now.getTime();
  if (isPast(key.revokedAt)) return 'revoked';
  return isPast(key.expiresAt) ? 'expired' : 'works';
};

export const KEY_STATES: Readonly<Record<ReturnType<typeof keyIs>, string>> = {
  works: t('Active'),
  revoked: t('Revoked'),
  expired: t('Expired'),
};

/** Returns the state of a link. */
export const linkIs = (
  link: { revokedAt: string | null; usedAt: string | null; expiresAt: string },
  now: Date,
): readonly [Tone, string] => {
  if (link.revokedAt !== null) return ['quiet', t('Revoked')];
  if (link.usedAt !== null) return ['info', t('Opened')];
  return Date.parse(link.expiresAt) <= now.getTime() ? ['quiet', t('Expired')] : ['good', t('Not opened yet')];
};

export const PARKED = {
  parked: ['bad', t('Parked')],
  applied: ['good', t('Applied')],
  ignored: ['quiet', t('No account here')],
} as const satisfies Record<string, readonly [Tone, string]>;

type Part = Pick<HealthReadAnswer['dependencies'][number], 'name' | 'ok'>;

/** The engine judges its own work beside the parts that it depends on. */
const isWork = ({ name }: Part): boolean => name === 'work';

/** The state of the engine: late work is no failure of a part. */
export const healthText = (parts: readonly Part[]): readonly [Tone, string] => {
  const failing = parts.filter(({ ok }) => !ok);
  if (failing.some((part) => !isWork(part))) return ['bad', t('A part does not work')];
  return failing.length > 0 ? ['warn', t('Work is late')] : ['good', t('Everything works')];
};

export const partText = (part: Part): readonly [Tone, string] => {
  if (part.ok) return ['good', t('Works')];
  return isWork(part) ? ['warn', t('Late')] : ['bad', t('Fails')];
};
