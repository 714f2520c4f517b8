import { z } from 'zod';
import { isSuccess } from './answer.ts';
import type { Http } from './http.ts';
import { answerTo, read } from './read.ts';
import { refused, unreadable } from './refusal.ts';

const RawQr = z.object({ value: z.string().min(1) });
const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Pairing codes. A session that does not ask for one answers 422 after up to 10 s: `session_not_ready`. */
export function createQrCalls(http: Http, timeoutMs: number) {
  async function getQr(name: string): Promise<Buffer> {
    const doing = 'show the QR code';
    const answer = await answerTo(http, {
      method: 'GET',
      path: path(name),
      query: { format: 'image' },
      accept: 'image/png',
      timeoutMs,
      doing,
    });
    if (!isSuccess(answer)) throw refused(answer, doing);
    if (!answer.body.subarray(0, PNG_MAGIC.length).equals(PNG_MAGIC)) throw unreadable(doing);
    return answer.body;
  }

  async function getQrRaw(name: string): Promise<string> {
    const doing = 'show the QR code';
    const query = { format: 'raw' };
    return (await read(http, RawQr, { method: 'GET', path: path(name), query, timeoutMs, doing })).value;
  }

  return { getQr, getQrRaw };
}

function path(name: string): string {
  return `/api/${encodeURIComponent(name)}/auth/qr`;
}
