import { z } from 'zod';
import { errorWordsOf } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import type { Http } from '../http/http.ts';
import { answerTo, parseAnswer, read } from '../http/read.ts';
import { addressOf } from '../events/message-id.ts';
import { Address } from '../events/raw.ts';

const RawExists = z.object({ numberExists: z.boolean(), chatId: Address });

const RawPair = z.object({ pn: Address.optional() });

/** The timeout is short, because an agent's reply waits for this answer and can do without it. */
const FIND_PHONE_TIMEOUT_MS = 3_000;

/**
 * Asks the backend about contacts. Checks in bulk get an account banned, so callers of `checkExists` cache the answer
 * (`docs/backend.md#sending`, 9).
 */
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

  /** Returns the phone (`…@c.us`) behind a hidden id (`…@lid`) as the backend knows it; null when it does not. */
  async function findPhone({ session, lid }: { session: string; lid: string }): Promise<string | null> {
    const doing = 'tell whose hidden id it is';
    const path = `/api/${encodeURIComponent(session)}/lids/${encodeURIComponent(lid)}`;
    const answer = await answerTo(http, { method: 'GET', path, timeoutMs: FIND_PHONE_TIMEOUT_MS, doing });
    if (hasNoHiddenIds(answer)) return null;
    return addressOf(parseAnswer(answer, RawPair, doing).pn ?? null);
  }

  return { checkExists, findPhone };
}

/** Tells a backend that keeps no hidden ids from a session that does not run, which answers 404 as well. */
function hasNoHiddenIds(answer: HttpAnswer): boolean {
  return answer.status === 501 || (answer.status === 404 && /^cannot get\b/i.test(errorWordsOf(answer).text));
}
