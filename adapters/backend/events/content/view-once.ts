import type { RawMessage } from '../raw-message.ts';
import { hasFact } from '../spelling/read.ts';

/** True when the sender wants the file to be seen once: the engines wrap the content, or mark it, or both. */
export function isViewOnce(raw: RawMessage): boolean {
  return hasFact(raw, 'viewOnce') || hasFact(raw, 'viewOnceKind');
}
