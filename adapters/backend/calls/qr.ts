import { z } from 'zod';
import { EngineError } from '../../../domain/error.ts';
import { isSuccess } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import type { Http } from '../http/http.ts';
import type { HttpRequest } from '../http/exchange.ts';
import { parseAnswer } from '../http/read.ts';
import { refused, unreachable, unreadable } from '../http/refusal.ts';

const RawQr = z.object({ value: z.string().min(1) });
const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const DOING = 'show the QR code';

/**
 * Reads pairing codes; throws `session_not_ready` when the session shows none. The backend answers a code that it has
 * at once. Without a code it waits 10 s before it says so, unless the caller waits less.
 */
export function createQrCalls(http: Http, longestWaitMs: number) {
  async function getQr(name: string, waitMs = longestWaitMs): Promise<Buffer> {
    const answer = await ask(name, waitMs, { query: { format: 'image' }, accept: 'image/png' });
    if (!isSuccess(answer)) throw refused(answer, DOING);
    if (!answer.body.subarray(0, PNG_MAGIC.length).equals(PNG_MAGIC)) throw unreadable(DOING);
    return answer.body;
  }

  async function getQrRaw(name: string, waitMs = longestWaitMs): Promise<string> {
    return parseAnswer(await ask(name, waitMs, { query: { format: 'raw' } }), RawQr, DOING).value;
  }

  async function ask(name: string, waitMs: number, form: Pick<HttpRequest, 'query' | 'accept'>): Promise<HttpAnswer> {
    const path = `/api/${encodeURIComponent(name)}/auth/qr`;
    const result = await http.call({ method: 'GET', path, timeoutMs: waitMs, ...form });
    if (result.kind === 'answer') return result;
    if (!result.written || result.cause !== 'timeout') throw unreachable(result, DOING);
    throw new EngineError(
      'session_not_ready',
      'The session shows no QR code now. Ask again while its status is STARTING or SCAN_QR_CODE.',
      { headers: { 'retry-after': '2' } },
    );
  }

  return { getQr, getQrRaw };
}
