export interface Check {
  /** What was compared. */
  what: string;
  verdict: 'same' | 'known' | 'differs';
  /** The differences, each with its reason where it is known. */
  notes: string[];
}

const MARKS = { same: '✓', known: '~', differs: '✗' } as const;

/** One line per check; differences below theirs. */
export function table(checks: readonly Check[]): string {
  return checks
    .flatMap(({ what, verdict, notes }) => [`${MARKS[verdict]} ${what}`, ...notes.map((note) => `    ${note}`)])
    .join('\n');
}
