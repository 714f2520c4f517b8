import { randomUUIDv7 } from 'node:crypto';

/** The prefixes of our ids. The rest of an id is a UUIDv7, so that ids sort by the time at which they were made. */
export type IdPrefix =
  | 'msg'
  | 'cnv'
  | 'con'
  | 'ses'
  | 'evt'
  | 'whe'
  | 'trn'
  | 'ntc'
  | 'mem'
  | 'nte'
  | 'reh'
  | 'lnk'
  | 'clk'
  | 'clg'
  | 'gap'
  | 'era'
  | 'exp'
  | 'act'
  | 'aut'
  | 'exe'
  | 'upl'
  | 'str'
  | 'flw'
  | 'hok';

/** The time of the last id: its 48 bits of milliseconds and the 12 bits after them. */
let latest = 0n;

/**
 * Makes an id. Ids of one process sort in the order in which they were made, even within a millisecond, in which Node's
 * own ids are in random order.
 */
export function newId(prefix: IdPrefix): string {
  const uuid = randomUUIDv7();
  const now = BigInt(`0x${uuid.slice(0, 8)}${uuid.slice(9, 13)}000`);
  latest = now > latest ? now : latest + 1n;
  const ordered = latest.toString(16).padStart(15, '0');
  return `${prefix}_${ordered.slice(0, 8)}-${ordered.slice(8, 12)}-7${ordered.slice(12)}${uuid.slice(18)}`;
}

/** The part after the prefix that no id which was made at this time or later sorts before. */
export function earliestUuidOf(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
