import type { PersonaView, UpdatePersona } from '../../../typescript/src/index.ts';
import { t } from '../../parts/words/t.ts';

/** The persona as a form has it: each field as it is typed. */

export type Control = 'text' | 'words' | 'whole' | 'number' | 'box' | 'lines' | 'choice' | 'hours';

export interface PersonaField {
  name: keyof PersonaView & keyof UpdatePersona;
  label: string;
  control: Control;
  hint?: string;
  choices?: readonly (readonly [string, string])[];
}

/** The fields in groups, the first of which nearly everybody needs. */
export const GROUPS: readonly (readonly [string, readonly PersonaField[]])[] = [
  [
    t('Identity'),
    [
      { name: 'agentName', label: t('Name'), control: 'text' },
      {
        name: 'systemPrompt',
        label: t('Instructions'),
        control: 'words',
        hint: t('Describe what you sell, how the agent speaks, and what it must not do.'),
      },
      { name: 'active', label: t('Answers customers'), control: 'box' },
      {
        name: 'modelChoice',
        label: t('Model'),
        control: 'text',
        hint: t('The ID of a configured model. If you enter another, the error lists them.'),
      },
    ],
  ],
  [
    t('Answering hours'),
    [
      {
        name: 'workingHours',
        label: t('Working hours'),
        control: 'hours',
        hint: t('One per line, such as "monday 09:00 17:00". Leave empty for always.'),
      },
      { name: 'outOfHoursMessage', label: t('Message outside working hours'), control: 'words' },
      {
        name: 'quietPeriodMs',
        label: t('Wait for more messages'),
        control: 'whole',
        hint: t('Milliseconds after the last message of a customer.'),
      },
      { name: 'maxWaitMs', label: t('Wait at most'), control: 'whole', hint: t('Milliseconds.') },
      {
        name: 'autoReturnHours',
        label: t('Take a conversation back after'),
        control: 'number',
        hint: t('Hours without activity of the person who took it over. 0 for never.'),
      },
      {
        name: 'answerRecoveredWithinMinutes',
        label: t('Answer late messages up to'),
        control: 'whole',
        hint: t('Minutes after they were written.'),
      },
      {
        name: 'answerWithinMinutes',
        label: t('Hand over after a delay of'),
        control: 'whole',
        hint: t('Minutes that the engine itself may be late.'),
      },
    ],
  ],
  [
    t('Answer style'),
    [
      {
        name: 'languages',
        label: t('Languages'),
        control: 'lines',
        hint: t('One per line, such as "de". Leave empty for the language of the customer.'),
      },
      { name: 'allowedLinks', label: t('Allowed links'), control: 'lines', hint: t('One per line.') },
      { name: 'maxReplyCharacters', label: t('Maximum length of an answer'), control: 'whole', hint: t('Characters.') },
      { name: 'splitReplies', label: t('Send a long answer as several messages'), control: 'box' },
      {
        name: 'temperature',
        label: t('Temperature'),
        control: 'number',
        hint: t('0 gives similar answers each time, 2 very different ones.'),
      },
      { name: 'maxTokens', label: t('Maximum tokens of an answer'), control: 'whole' },
      { name: 'extractMemories', label: t('Save memories about customers'), control: 'box' },
    ],
  ],
  [
    t('Limits and failures'),
    [
      { name: 'maxTokensPerDay', label: t('Tokens per day'), control: 'whole', hint: t('0 for no limit.') },
      {
        name: 'maxTokensPerContactPerDay',
        label: t('Tokens per day for one customer'),
        control: 'whole',
        hint: t('0 for no limit.'),
      },
      {
        name: 'maxRepliesPerContactPerHour',
        label: t('Answers per hour for one customer'),
        control: 'whole',
        hint: t('0 for no limit.'),
      },
      {
        name: 'onModelFailure',
        label: t('When the model fails'),
        control: 'choice',
        choices: [
          ['handoff', t('Hand over to a person')],
          ['retry', t('Try again for a while')],
        ],
      },
      { name: 'retryForMinutes', label: t('Try again for'), control: 'whole', hint: t('Minutes.') },
      { name: 'fallbackMessage', label: t('Message before a person takes over'), control: 'words' },
    ],
  ],
];

const FIELDS: readonly PersonaField[] = GROUPS.flatMap(([, fields]) => [...fields]);

type Typed = Readonly<Record<string, string>>;

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value
    .map((each: unknown) => (isHours(each) ? `${each.day} ${each.from} ${each.to}` : String(each)))
    .join('\n');
};

interface Hours {
  day: string;
  from: string;
  to: string;
}
const isHours = (value: unknown): value is Hours =>
  value !== null && typeof value === 'object' && 'day' in value && 'from' in value && 'to' in value;

export const typedOf = (persona: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, shown(persona[name])]));

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const hoursOf = (line: string): Hours => {
  const [day = '', from = '', to = ''] = line.split(/[\s–-]+/);
  return { day: day.toLowerCase(), from, to };
};

const valueOf = ({ control }: PersonaField, text: string): unknown => {
  if (control === 'box') return text === 'true';
  if (control === 'lines') return lines(text);
  if (control === 'hours') return text.trim() === '' ? null : lines(text).map(hoursOf);
  if (control === 'whole' || control === 'number') return Number(text);
  return text;
};

/** Counts the changed fields, in words. */
export const changesText = (count: number): string => (count === 1 ? t('1 change') : t('{0} changes', count));

/** Returns the changes of the stored persona: the request sends only these, and the engine refuses wrong ones. */
export const changesOf = (before: Readonly<Record<string, unknown>>, typed: Typed): UpdatePersona => {
  const old = typedOf(before);
  const changes: UpdatePersona = {};
  for (const field of FIELDS) {
    const text = typed[field.name] ?? '';
    if (text !== old[field.name]) Object.assign(changes, { [field.name]: valueOf(field, text) });
  }
  return changes;
};
