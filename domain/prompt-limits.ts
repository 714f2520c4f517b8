/**
 * About three bytes of text are a token: less than models make of European languages, so that a prompt that fits by
 * this count fits.
 */
export function approximateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

/** Never inside a character. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const end = maxCharacters - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
