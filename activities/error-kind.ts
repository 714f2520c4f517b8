/**
 * Names an error by its class and code only, because the message of a database's error may contain values of its rows.
 */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
