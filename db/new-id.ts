import { randomUUIDv7 } from 'node:crypto';

/** Prefixes of our ids; the rest is a UUIDv7, so that ids sort by the time they were made. */
export type IdPrefix = 'msg' | 'cnv' | 'con' | 'ses' | 'evt' | 'whe' | 'trn';

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomUUIDv7()}`;
}
