/** The level of a finding. A fact is unknown if its check failed: that failure is a problem of its own. */
export const LEVELS = ['ok', 'warning', 'problem', 'unknown'] as const;
export type Level = (typeof LEVELS)[number];

/** The result of one check, with its next step. */
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
