import type { Label } from '../state/fact.ts';

export interface Line {
  fromMe: boolean;
  text: string;
}

/** The names of eleven contacts, whose chats make twelve with the group's. */
export const NAMES = [
  'Alice Example',
  'Bruno Sample',
  'Carla Test',
  'David Mock',
  'Elena Placeholder',
  'Farid Demo',
  'Grace Fixture',
  'Hugo Pretend',
  'Ines Imaginary',
  'Jonas Fictional',
  'Lina Hidden',
] as const;

export const LINES: readonly Line[] = [
  { fromMe: false, text: 'Hello! I saw your advertisement. What does the monthly plan cost?' },
  { fromMe: true, text: 'Hi {name}, thanks for asking! The monthly plan is 49, cancel any time.' },
  { fromMe: false, text: 'Is there a trial?' },
  { fromMe: true, text: 'Yes, 14 days, no card needed. Shall I set it up for you?' },
  { fromMe: false, text: 'Please do. My address is {name}@example.com' },
  { fromMe: true, text: 'Done! You will find an invitation in your mailbox.' },
  { fromMe: false, text: 'Got it, thank you' },
];

export const GROUP_NAME = 'Sandbox Team';

export const GROUP_LINES: readonly Line[] = [
  { fromMe: false, text: 'Good morning everyone' },
  { fromMe: true, text: 'Morning! The new price list is out.' },
  { fromMe: false, text: 'Great, can you send it here?' },
  { fromMe: false, text: 'And the opening hours for Friday, please' },
];

export const LABELS: readonly Label[] = [
  { id: '1', name: 'New customer', color: 0, colorHex: '#ff9485' },
  { id: '2', name: 'Follow up', color: 1, colorHex: '#64c4ff' },
  { id: '3', name: 'Paid', color: 2, colorHex: '#ffd429' },
];
