import { sentenceStarts } from './length.ts';

const TARGET_CHARACTERS = 400;
const MAX_PARTS = 4;
const LIST_ITEM = /^[ \t]*(?:[-–•]|\p{N}{1,3}[.)])[ \t]/mu;

/**
 * Splits a long reply into the messages that a person would write: by paragraphs, and long paragraphs by sentences; a
 * list stays in one piece. Nothing is lost but white space, and a short reply stays as it is.
 */
export function splitReply(text: string): string[] {
  const whole = text.trim();
  if (whole === '') return [];
  for (let target = TARGET_CHARACTERS; ; target = Math.ceil(target * 1.25)) {
    const parts = packed(piecesOf(whole, target), target);
    if (parts.length <= MAX_PARTS) return parts;
  }
}

/**
 * Takes a text apart in its order; white space stays with the part before it. A message may end only between two parts.
 */
function piecesOf(text: string, target: number): string[] {
  if (text.length <= target) return [text];
  return paragraphsOf(text).flatMap((paragraph) =>
    paragraph.length <= target || LIST_ITEM.test(paragraph) ? [paragraph] : cutAt(paragraph, sentenceStarts(paragraph)),
  );
}

/** Takes a text apart into paragraphs. A list keeps the line that announces it and its items after an empty line. */
function paragraphsOf(text: string): string[] {
  const ends = [...text.matchAll(/\n[ \t]*\n\s*/g)].map((gap) => gap.index + gap[0].length);
  const paragraphs: string[] = [];
  for (const next of cutAt(text, ends)) {
    const last = paragraphs.at(-1);
    const belongsToLast = last !== undefined && isItem(next) && (/[:：]\s*$/.test(last) || LIST_ITEM.test(last));
    if (belongsToLast) paragraphs[paragraphs.length - 1] = last + next;
    else paragraphs.push(next);
  }
  return paragraphs;
}

const isItem = (paragraph: string): boolean => paragraph.search(LIST_ITEM) === 0;

function cutAt(text: string, positions: readonly number[]): string[] {
  const starts = [0, ...positions];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

function packed(pieces: readonly string[], target: number): string[] {
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last !== undefined && (last + piece).trim().length <= target) parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
