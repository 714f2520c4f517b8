/** Makes a text that PostgreSQL can store: without NUL and halves of characters, and of a bounded length. */
export function storable(text: string, maxLength: number): string {
  return text.replaceAll('\u0000', '').slice(0, maxLength).toWellFormed();
}

/** True if PostgreSQL can store each text in the value, and each key. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each));
}
