/**
 * Says when the other side is taken for a program that answers by itself. Each sign takes several exchanges in a row to show,
 * so a person who happens to be quick once is none; a person of ours in between begins the count anew.
 */

/**
 * A program shows itself by so many answers in a row that came faster than anybody reads and types: two seconds, and ten
 * characters a second.
 */
const QUICK_ANSWERS = 6;
const READS_IN_MS = 2_000;
const TYPES_A_CHARACTER_IN_MS = 100;

/**
 * It shows itself by so many answers in a row that are as even as a clock: people hesitate now and then, each within half a
 * minute.
 */
const EVEN_ANSWERS = 10;
const EVEN_WITHIN_MS = 30_000;
const EVEN_DEVIATION = 0.25;

/**
 * It shows itself by the same text so often within ten minutes, with our answers in between; two texts that take turns count,
 * too. Short texts are words that people do repeat, like yes.
 */
const REPEATS = 3;
const REPEATED_WITHIN_MS = 10 * 60_000;
const REPEATED_FROM_CHARACTERS = 20;

/** So many messages are read: more than any sign of a loop needs, even when an answer has several messages. */
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

/** `said` is in the order of time. */
export function isLoop(said: readonly Said[], nowMs: number): boolean {
  const answers = answersInARow(said);
  return isQuick(answers) || isEven(answers) || isRepeated(said, nowMs);
}

/**
 * Answers how fast the contact answered each of our turns, the latest last; it begins anew where a person of ours spoke.
 */
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
    // A contact who got no answer says the same again, which is no sign of a program.
    if (!answered || words.length < REPEATED_FROM_CHARACTERS) continue;
    answered = false;
    const count = (counts.get(words) ?? 0) + 1;
    if (count >= REPEATS) return true;
    counts.set(words, count);
  }
  return false;
}

/** Texts that differ by a number, a time or a sign only are the same. */
function alike(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\s]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
