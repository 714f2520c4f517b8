import { endingOfType, withEnding } from './file-types.ts';

const LONGEST = 120;

/**
 * Matches control characters, and characters that turn the direction of the text after them: those make `exe.pdf` look
 * like `fdp.exe`.
 */
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/gu;
const NOT_IN_NAMES = /[<>:"|?*%;]/g;

/**
 * Makes a file name that is safe on every system: without a path and without invisible characters. Null when nothing is
 * left.
 */
export function cleanFileName(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.normalize('NFC').replaceAll(INVISIBLE, '').replaceAll(NOT_IN_NAMES, '_');
  const trimmed = plain.replace(/^[.\s]+/, '').replace(/[.\s]+$/, '');
  if (trimmed === '') return null;
  if (trimmed.length <= LONGEST) return trimmed.toWellFormed();
  const extension = /\.\w{1,8}$/.exec(trimmed)?.[0] ?? '';
  // A cut can leave half of a character, which is dropped here.
  return (
    trimmed
      .slice(0, LONGEST - extension.length)
      .replace(/[\ud800-\udbff]$/, '')
      .toWellFormed() + extension
  );
}

/** Names a file to which its sender gave no name, so that it opens where it is saved: `image.jpg`. */
export function nameOf(kind: string, mimeType: string | null): string {
  const ending = endingOfType(mimeType);
  return ending === null ? kind : `${kind}.${ending}`;
}

/** Names a file by one rule for both directions: its own name, with an ending that opens, or one for its kind. */
export function shownName(kind: string, mimeType: string | null, name: string | null): string {
  return name === null ? nameOf(kind, mimeType) : withEnding(name, mimeType);
}
