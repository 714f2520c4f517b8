import type { MessageChange } from '../../../../domain/network/message-change.ts';
import type { Envelope } from '../envelope.ts';
import { isTime, pastMilliseconds } from '../raw.ts';

/**
 * Reads when something was done to a message: the time that its maker gave it, in any unit, else the time of the report.
 * A change of the future would hold against all that is done before that.
 */
export function momentOf({ timestamp }: Envelope, madeAt: number | null): Pick<MessageChange, 'at' | 'toldAt'> {
  const toldAt = isTime(timestamp) ? pastMilliseconds(timestamp) : Date.now();
  return { at: isTime(madeAt) ? pastMilliseconds(madeAt) : toldAt, toldAt };
}
