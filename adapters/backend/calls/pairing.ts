import { z } from 'zod';
import { EngineError } from '../../../domain/error.ts';
import type { Http } from '../http/http.ts';
import { parseAnswer } from '../http/read.ts';
import { unreachable } from '../http/refusal.ts';

const RawCode = z.object({ code: z.string().min(1) });
const DOING = 'ask for a pairing code';

/** A session that is still starting leaves this call without an answer for a minute and more. */
const TIMEOUT_MS = 15_000;

export function createPairingCalls(http: Http) {
  /**
   * Asks the network for the code that the person types on the phone, and which shows that phone a notice. Throws
   * `session_not_ready` when the session gives none.
   */
  async function requestPairingCode({ session, phone }: { session: string; phone: string }): Promise<string> {
    const path = `/api/${encodeURIComponent(session)}/auth/request-code`;
    const body = { phoneNumber: phone };
    const result = await http.call({ method: 'POST', path, body, timeoutMs: TIMEOUT_MS });
    if (result.kind === 'answer') return parseAnswer(result, RawCode, DOING).code;
    if (!result.written || result.cause !== 'timeout') throw unreachable(result, DOING);
    throw new EngineError('session_not_ready', 'The session gives no pairing code now. Ask again in half a minute.', {
      headers: { 'retry-after': '30' },
    });
  }

  return { requestPairingCode };
}
