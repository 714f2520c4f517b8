import { createHash } from 'node:crypto';

/** Names an upload in rows and lists, where nobody learns its file id from it. */
export function nameOfUpload(fileId: string): string {
  return `upl_${createHash('sha256').update(fileId).digest('hex').slice(0, 32)}`;
}
