/** The console's own pictures, drawn on 24 by 24. */
const PATHS = {
  inbox: 'M4 5h16v11H13l-4 4v-4H4z',
  connect: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  message: 'M4 12l16-8-5 16-4-6zM11 14l4-5',
  events: 'M13 3L5 14h6l-1 7 8-11h-6z',
  agent: 'M6 9h12v10H6zM12 5v4M9.5 13v2M14.5 13v2M3 13v3M21 13v3',
  automations: 'M4 4h6v6H4zM14 14h6v6h-6zM10 7h7v7M7 10v7h7',
  workflows: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  operations: 'M4 19a8.5 8.5 0 1 1 16 0M12 15l4-5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  back: 'M15 5l-7 7 7 7',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c1-4 4-5 7-5s6 1 7 5',
  reply: 'M10 6L4 12l6 6M4 12h9a7 7 0 0 1 7 7',
  react: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 14.5c1 1.3 2.2 2 3.5 2s2.5-.7 3.5-2M9 9.5v.5M15 9.5v.5',
} as const;

export type IconName = keyof typeof PATHS;

export const isIcon = (name: string): name is IconName => name in PATHS;

/** A picture beside a word, which says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
