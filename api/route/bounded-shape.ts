import { invalid } from '../../domain/error.ts';

/** No object of a request has nearly as many names, no list as many items, and no body as many levels. */
export const SHAPE = {
  names: 256,
  items: 2_000,
  levels: 64,
  /** Of all objects and lists together; else a list of lists would multiply the bounds above. */
  values: 20_000,
};

/**
 * Refuses a body by its shape, before any schema sees it. A schema looks at every name and item and writes an error for
 * each wrong one, so one request could otherwise keep the process busy for seconds.
 */
export function requireBoundedShape(body: unknown): void {
  if (Buffer.isBuffer(body)) return;
  const waiting = [{ value: body, level: 0 }];
  let values = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, level } = next;
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Object.values(value);
    const limit = Array.isArray(value) ? SHAPE.items : SHAPE.names;
    const what = Array.isArray(value) ? 'items in a list' : 'names in an object';
    if (inner.length > limit) throw tooLarge(`must have at most ${limit} ${what}`);
    if (level === SHAPE.levels) throw tooLarge(`must have at most ${SHAPE.levels} levels`);
    values += inner.length;
    if (values > SHAPE.values) throw tooLarge(`must have at most ${SHAPE.values} values`);
    for (const each of inner) waiting.push({ value: each, level: level + 1 });
  }
}

function tooLarge(message: string) {
  return invalid({ pointer: '', message });
}
