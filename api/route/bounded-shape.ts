import { SHAPE, tooWide } from '../wire/json-shape.ts';

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
    const [limit, what] = Array.isArray(value) ? [SHAPE.items, 'items in a list'] : [SHAPE.names, 'names in an object'];
    if (inner.length > limit) throw tooWide(`${limit} ${what}`);
    if (level === SHAPE.levels) throw tooWide(`${SHAPE.levels} levels`);
    values += inner.length;
    if (values > SHAPE.values) throw tooWide(`${SHAPE.values} values`);
    for (const each of inner) waiting.push({ value: each, level: level + 1 });
  }
}
