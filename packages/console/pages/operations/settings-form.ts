import type { TenantSettings, UpdateSettings } from '../../../typescript/src/index.ts';
import { t } from '../../parts/words/t.ts';

export interface SettingsField {
  name: string;
  label: string;
  hint: string;
  pointer: string;
  type: 'text' | 'number' | 'time';
}

const days = (name: string, label: string): SettingsField => ({
  name,
  label,
  hint: t('Days. Leave empty to keep them forever.'),
  pointer: `/${name}`,
  type: 'number',
});

const DAYS = ['messageRetentionDays', 'mediaRetentionDays', 'memoryRetentionDays'] as const;

export const FIELDS: readonly SettingsField[] = [
  {
    name: 'timeZone',
    label: t('Time zone'),
    hint: t('Such as Europe/Berlin. Leave empty for UTC.'),
    pointer: '/timeZone',
    type: 'text',
  },
  {
    name: 'country',
    label: t('Country'),
    hint: t('Two letters. Used for phone numbers without a country code.'),
    pointer: '/country',
    type: 'text',
  },
  {
    name: 'perMinute',
    label: t('Messages per minute'),
    hint: t('0 for no limit. Leave empty for the default.'),
    pointer: '/pace/perMinute',
    type: 'number',
  },
  {
    name: 'burst',
    label: t('Messages at once'),
    hint: t('Messages without a pause before the pace applies.'),
    pointer: '/pace/burst',
    type: 'number',
  },
  {
    name: 'firstContactsPerDay',
    label: t('New people per day'),
    hint: t('People who get a first message. 0 for no limit.'),
    pointer: '/pace/firstContactsPerDay',
    type: 'number',
  },
  {
    name: 'quietFrom',
    label: t('Quiet from'),
    hint: t('The engine sends no automated messages in quiet hours.'),
    pointer: '/quietHours/from',
    type: 'time',
  },
  {
    name: 'quietTo',
    label: t('Quiet until'),
    hint: t('Leave both empty for none.'),
    pointer: '/quietHours/to',
    type: 'time',
  },
  days('messageRetentionDays', t('Keep messages')),
  days('mediaRetentionDays', t('Keep files')),
  days('memoryRetentionDays', t('Keep memories')),
];

export const typedSettings = (settings: TenantSettings): Record<string, string> => {
  const { pace, quietHours } = settings;
  const values = {
    timeZone: settings.timeZone,
    country: settings.country,
    perMinute: pace?.perMinute,
    burst: pace?.burst,
    firstContactsPerDay: pace?.firstContactsPerDay,
    quietFrom: quietHours?.from,
    quietTo: quietHours?.to,
    messageRetentionDays: settings.messageRetentionDays,
    mediaRetentionDays: settings.mediaRetentionDays,
    memoryRetentionDays: settings.memoryRetentionDays,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null || value === undefined ? '' : String(value)]),
  );
};

const numberOrNull = (text: string | undefined): number | null =>
  text === undefined || text.trim() === '' ? null : Number(text);
const textOrNull = (text: string | undefined): string | null => text?.trim() || null;

/** Returns the changed settings. Null restores the engine's default. */
export const settingsChange = (settings: TenantSettings, typed: Readonly<Record<string, string>>): UpdateSettings => {
  const before = typedSettings(settings);
  const differs = (name: string): boolean => (typed[name] ?? '') !== before[name];
  const change: UpdateSettings = {};
  if (differs('timeZone')) change.timeZone = textOrNull(typed['timeZone']);
  if (differs('country')) change.country = textOrNull(typed['country'])?.toUpperCase() ?? null;
  for (const name of ['perMinute', 'burst', 'firstContactsPerDay'] as const) {
    if (differs(name)) change.pace = { ...change.pace, [name]: numberOrNull(typed[name]) };
  }
  if (differs('quietFrom') || differs('quietTo')) {
    const from = textOrNull(typed['quietFrom']);
    const to = textOrNull(typed['quietTo']);
    // One of the two alone is refused by the engine, which says which one it misses.
    change.quietHours = from === null && to === null ? null : { from: from ?? '', to: to ?? '' };
  }
  for (const name of DAYS) if (differs(name)) change[name] = numberOrNull(typed[name]);
  return change;
};
