/** Makes a text that PostgreSQL can store: without NUL and halves of characters, and of a bounded length. */
export function storable(text: string, maxLength: number): string {
  return text.replaceAll('\u0000', '').slice(0, maxLength).toWellFormed();
}

/** True if PostgreSQL can store each text in the value. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}
