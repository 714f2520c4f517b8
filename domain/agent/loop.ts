/**
 * Says when a contact is taken for a program that answers by itself. Each sign needs several exchanges in a row, so a
 * contact who happens to be quick once shows no sign. A message from a person begins the count anew.
 */

/**
 * A contact counts as a program after this many answers in a row that each came faster than a person reads (two
 * seconds) and types (ten characters a second).
 */
const QUICK_ANSWERS = 6;
const READS_IN_MS = 2_000;
const TYPES_A_CHARACTER_IN_MS = 100;

/**
 * A contact counts as a program after this many answers in a row, each within half a minute, that come as evenly as by
 * a clock; people hesitate now and then.
 */
const EVEN_ANSWERS = 10;
const EVEN_WITHIN_MS = 30_000;
const EVEN_DEVIATION = 0.25;

/**
 * A contact counts as a program after the same text this many times within ten minutes, with the agent's answers in
 * between; two texts that take turns count, too. Shorter texts do not count, because people do repeat words like yes.
 */
const REPEATS = 3;
const REPEATED_WITHIN_MS = 10 * 60_000;
const REPEATED_FROM_CHARACTERS = 20;

/**
 * This many messages are read, which is more than any sign of a loop needs, even when an answer has several messages.
 */
export const LOOP_LOOKS_BACK = 60;

export interface Said {
  by: 'contact' | 'agent' | 'person';
  atMs: number;
  text: string;
}

interface Answer {
  afterMs: number;
  characters: number;
}

/** Tells whether the contact is taken for a program; `said` is in the order of time. */
export function isLoop(said: readonly Said[], nowMs: number): boolean {
  const answers = answersInARow(said);
  return isQuick(answers) || isEven(answers) || isRepeated(said, nowMs);
}

/** Returns how fast the contact answered each of the agent's turns, the latest last, since a person last wrote. */
function answersInARow(said: readonly Said[]): Answer[] {
  let answers: Answer[] = [];
  said.forEach((one, index) => {
    const before = said[index - 1];
    if (one.by === 'person') answers = [];
    if (one.by !== 'contact' || before?.by !== 'agent') return;
    answers.push({ afterMs: one.atMs - before.atMs, characters: one.text.length });
  });
  return answers;
}

function isQuick(answers: readonly Answer[]): boolean {
  const last = answers.slice(-QUICK_ANSWERS);
  return (
    last.length === QUICK_ANSWERS &&
    last.every(({ afterMs, characters }) => afterMs <= READS_IN_MS + characters * TYPES_A_CHARACTER_IN_MS)
  );
}

function isEven(answers: readonly Answer[]): boolean {
  const times = answers.slice(-EVEN_ANSWERS).map(({ afterMs }) => afterMs);
  if (times.length < EVEN_ANSWERS || times.some((ms) => ms > EVEN_WITHIN_MS)) return false;
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const variance = times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / times.length;
  return Math.sqrt(variance) <= mean * EVEN_DEVIATION;
}

function isRepeated(said: readonly Said[], nowMs: number): boolean {
  const counts = new Map<string, number>();
  let answered = true;
  for (const { by, atMs, text } of said) {
    if (by === 'person') counts.clear();
    if (by !== 'contact') answered = true;
    if (by !== 'contact' || atMs < nowMs - REPEATED_WITHIN_MS) continue;
    const words = alike(text);
    // A contact who got no answer may repeat a text, which is no sign of a program.
    if (!answered || words.length < REPEATED_FROM_CHARACTERS) continue;
    answered = false;
    const count = (counts.get(words) ?? 0) + 1;
    if (count >= REPEATS) return true;
    counts.set(words, count);
  }
  return false;
}

/** Reduces a text to its words, so that texts that differ only by a number, a time or a sign are the same. */
function alike(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\s]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
