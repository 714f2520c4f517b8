/**
 * Takes the beginning of a text, never with half a surrogate pair at its end, which neither PostgreSQL nor a model's
 * provider takes.
 */
export function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}
