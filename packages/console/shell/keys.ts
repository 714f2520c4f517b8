/** The keys of the console, off where somebody writes. A sequence is a first key and another within a second. */

export interface Pressed {
  key: string;
  hasModifier: boolean;
  isWriting: boolean;
  at: number;
}

const SEQUENCE_MS = 1_200;
/** A second key that comes late is a slip: it presses nothing of the page. */
const LATE_MS = 5_000;

/** Tells which of the shortcuts was pressed: `?`, `p`, or `g` and a letter. */
export const createKeys = (shortcuts: Readonly<Record<string, () => void>>) => {
  let first: { key: string; at: number } | null = null;
  return (pressed: Pressed): boolean => {
    if (pressed.hasModifier || pressed.isWriting) {
      first = null;
      return false;
    }
    const begun = first && pressed.at - first.at <= SEQUENCE_MS ? `${first.key} ` : '';
    const isLate = first !== null && pressed.at - first.at <= LATE_MS;
    const run = shortcuts[begun + pressed.key];
    first = null;
    if (run) {
      run();
      return true;
    }
    const begins = Object.keys(shortcuts).some((name) => name.startsWith(`${pressed.key} `));
    if (begins) first = { key: pressed.key, at: pressed.at };
    return begins || isLate;
  };
};
