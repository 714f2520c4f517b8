import type { PersonaView, UpdatePersona } from '../../../typescript/src/index.ts';

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
    'Who it is',
    [
      { name: 'agentName', label: 'Name', control: 'text' },
      {
        name: 'systemPrompt',
        label: 'Instructions',
        control: 'words',
        hint: 'Describe what you sell, how the agent speaks, and what it must not do.',
      },
      { name: 'active', label: 'Answers customers', control: 'box' },
      {
        name: 'modelChoice',
        label: 'Model',
        control: 'text',
        hint: 'The ID of a configured model. If you enter another, the error lists them.',
      },
    ],
  ],
  [
    'When it answers',
    [
      {
        name: 'workingHours',
        label: 'Working hours',
        control: 'hours',
        hint: 'One per line, such as "monday 09:00 17:00". Leave empty for always.',
      },
      { name: 'outOfHoursMessage', label: 'Message outside working hours', control: 'words' },
      {
        name: 'quietPeriodMs',
        label: 'Wait for more messages',
        control: 'whole',
        hint: 'Milliseconds after the last message of a customer.',
      },
      { name: 'maxWaitMs', label: 'Wait at most', control: 'whole', hint: 'Milliseconds.' },
      {
        name: 'autoReturnHours',
        label: 'Take a conversation back after',
        control: 'number',
        hint: 'Hours without activity of the person who took it over. 0 for never.',
      },
      {
        name: 'answerRecoveredWithinMinutes',
        label: 'Answer late messages up to',
        control: 'whole',
        hint: 'Minutes after they were written.',
      },
      {
        name: 'answerWithinMinutes',
        label: 'Hand over after a delay of',
        control: 'whole',
        hint: 'Minutes that the engine itself may be late.',
      },
    ],
  ],
  [
    'How it answers',
    [
      {
        name: 'languages',
        label: 'Languages',
        control: 'lines',
        hint: 'One per line, such as "de". Leave empty for the language of the customer.',
      },
      { name: 'allowedLinks', label: 'Allowed links', control: 'lines', hint: 'One per line.' },
      { name: 'maxReplyCharacters', label: 'Maximum length of an answer', control: 'whole', hint: 'Characters.' },
      { name: 'splitReplies', label: 'Send a long answer as several messages', control: 'box' },
      {
        name: 'temperature',
        label: 'Temperature',
        control: 'number',
        hint: '0 gives similar answers each time, 2 very different ones.',
      },
      { name: 'maxTokens', label: 'Maximum tokens of an answer', control: 'whole' },
      { name: 'extractMemories', label: 'Save memories about customers', control: 'box' },
    ],
  ],
  [
    'Limits and failures',
    [
      { name: 'maxTokensPerDay', label: 'Tokens per day', control: 'whole', hint: '0 for no limit.' },
      {
        name: 'maxTokensPerContactPerDay',
        label: 'Tokens per day for one customer',
        control: 'whole',
        hint: '0 for no limit.',
      },
      {
        name: 'maxRepliesPerContactPerHour',
        label: 'Answers per hour for one customer',
        control: 'whole',
        hint: '0 for no limit.',
      },
      {
        name: 'onModelFailure',
        label: 'When the model fails',
        control: 'choice',
        choices: [
          ['handoff', 'Hand over to a person'],
          ['retry', 'Try again for a while'],
        ],
      },
      { name: 'retryForMinutes', label: 'Try again for', control: 'whole', hint: 'Minutes.' },
      { name: 'fallbackMessage', label: 'Message before a person takes over', control: 'words' },
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

/** How many fields differ, in words. */
export const changesText = (count: number): string => (count === 1 ? '1 change' : `${count} changes`);

/** What differs from the persona that is there: the engine is asked to change that alone, and refuses what is wrong. */
export const changesOf = (before: Readonly<Record<string, unknown>>, typed: Typed): UpdatePersona => {
  const old = typedOf(before);
  const changes: UpdatePersona = {};
  for (const field of FIELDS) {
    const text = typed[field.name] ?? '';
    if (text !== old[field.name]) Object.assign(changes, { [field.name]: valueOf(field, text) });
  }
  return changes;
};
