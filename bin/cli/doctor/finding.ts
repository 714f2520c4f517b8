/** How something is. What could not be looked at is unknown: what is missing says why, as a problem of its own. */
export const LEVELS = ['ok', 'warning', 'problem', 'unknown'] as const;
export type Level = (typeof LEVELS)[number];

/** What was found out about one thing, and what to do about it. */
export interface Finding {
  about: string;
  level: Level;
  says: string;
  todo: string[];
}

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says, todo: [] });

export const unknown = (about: string, says: string): Finding => ({ about, level: 'unknown', says, todo: [] });

export const warning = (about: string, says: string, ...todo: string[]): Finding => ({
  about,
  level: 'warning',
  says,
  todo,
});

export const problem = (about: string, says: string, ...todo: string[]): Finding => ({
  about,
  level: 'problem',
  says,
  todo,
});
