/** Takes the beginning of a text, never with half a character at its end: neither PostgreSQL nor a provider takes such. */
export function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}
