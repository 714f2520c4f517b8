import { fstatSync, openSync, readFileSync, renameSync, statSync, closeSync } from 'node:fs';

const ROTATE_AT_BYTES = 10 * 1024 * 1024;

/** Opens a server's log for appending. A log that grew large is kept once as `<name>.1`, so it cannot fill the disk. */
export function openLog(path: string): number {
  const log = openSync(path, 'a', 0o600);
  if (fstatSync(log).size < ROTATE_AT_BYTES) return log;
  closeSync(log);
  renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** Returns how long the log is now, because a server's later words begin there. */
export function logPosition(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size < ROTATE_AT_BYTES ? size : 0;
}

export function logSince(path: string, position: number): string {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path).subarray(position).toString() : '';
}
