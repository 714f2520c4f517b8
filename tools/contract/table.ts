export interface Check {
  /** The compared subject. */
  what: string;
  verdict: 'same' | 'known' | 'differs';
  /** The differences, each with its reason where it is known. */
  notes: string[];
}

const MARKS = { same: '✓', known: '~', differs: '✗' } as const;

/** One line per check, what differs below it; then what is known to differ, once each. */
export function table(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ what, verdict, notes }) => [
    `${MARKS[verdict]} ${what}`,
    ...(verdict === 'differs' ? notes.map((note) => `    ${note}`) : []),
  ]);
  const known = new Set(checks.flatMap(({ verdict, notes }) => (verdict === 'known' ? notes : [])));
  return [...lines, '', '~ Known:', ...[...known].map((note) => `    ${note}`)].join('\n');
}
