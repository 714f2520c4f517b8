import { z } from 'zod';
import type { Http } from '../http/http.ts';
import { addressOf } from '../events/message-id.ts';
import { Address } from '../events/raw.ts';
import { read } from '../http/read.ts';

const RawExists = z.object({ numberExists: z.boolean(), chatId: Address });

/** Checks in bulk get an account banned: callers cache the answer (`docs/backend.md#sending`, 9). */
export function createContactCalls(http: Http, timeoutMs: number) {
  async function checkExists({ session, phone }: { session: string; phone: string }) {
    const answer = await read(http, RawExists, {
      method: 'GET',
      path: '/api/contacts/check-exists',
      query: { session, phone: phone.replaceAll(/\D/g, '') },
      timeoutMs,
      doing: 'check the number',
    });
    return { exists: answer.numberExists, chatId: addressOf(answer.chatId) };
  }

  return { checkExists };
}
