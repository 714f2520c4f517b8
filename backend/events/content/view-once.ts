import { z } from 'zod';
import { contentIn } from '../message-kind.ts';
import type { RawMessage } from '../raw-message.ts';
import { Flag } from '../raw.ts';

const WRAPPERS = ['viewOnceMessage', 'viewOnceMessageV2', 'viewOnceMessageV2Extension'];
const Part = z.object({ viewOnce: Flag });

/** True when the sender wants the file to be seen once: the engines wrap the content, or mark it, or both. */
export function isViewOnce(raw: RawMessage): boolean {
  const data = raw._data;
  if (data === null) return false;
  const outer = data.message ?? data.Message ?? {};
  if (data.isViewOnce === true || WRAPPERS.some((name) => outer[name] !== undefined && outer[name] !== null)) {
    return true;
  }
  return Object.values(contentIn(raw) ?? {}).some((part) => Part.safeParse(part).data?.viewOnce === true);
}
