import type { MessageChange } from '../../../domain/network/message-change.ts';
import type { Envelope } from '../envelope.ts';
import { wholeMilliseconds } from '../raw.ts';

const MILLISECONDS_FROM = 100_000_000_000;

/**
 * Reads when something was done to a message: the time that its maker gave it, in seconds or milliseconds, else the
 * time of the report.
 */
export function momentOf({ timestamp }: Envelope, madeAt: number | null): Pick<MessageChange, 'at' | 'toldAt'> {
  const toldAt = wholeMilliseconds(timestamp ?? 0);
  if (madeAt === null) return { at: toldAt, toldAt };
  return { at: wholeMilliseconds(madeAt >= MILLISECONDS_FROM ? madeAt : madeAt * 1_000), toldAt };
}
