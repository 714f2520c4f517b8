import { z } from 'zod';
import type { Http } from './http.ts';
import { addressOf } from './message-id.ts';
import { Address } from './raw.ts';
import { read } from './read.ts';

const RawExists = z.object({ numberExists: z.boolean(), chatId: Address });

/** Checks in bulk get an account banned: callers cache the answer (backend contract, 6.5). */
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
