import { z } from 'zod';
import type { Http } from '../http/http.ts';
import { answerTo, parseAnswer, read } from '../http/read.ts';
import { addressOf } from '../events/message-id.ts';
import { Address } from '../events/raw.ts';

const RawExists = z.object({ numberExists: z.boolean(), chatId: Address });

const RawPair = z.object({ pn: Address.optional() });

/** A backend that keeps no hidden ids has no such route. */
const HAS_NO_HIDDEN_IDS = new Set([404, 501]);

/** The caller can do without an answer, and an agent's reply waits for it. */
const FIND_PHONE_TIMEOUT_MS = 3_000;

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

  /** The phone (`…@c.us`) behind a hidden id (`…@lid`), from what the backend keeps; null when it does not know. */
  async function findPhone({ session, lid }: { session: string; lid: string }): Promise<string | null> {
    const doing = 'tell whose hidden id it is';
    const path = `/api/${encodeURIComponent(session)}/lids/${encodeURIComponent(lid)}`;
    const answer = await answerTo(http, { method: 'GET', path, timeoutMs: FIND_PHONE_TIMEOUT_MS, doing });
    if (HAS_NO_HIDDEN_IDS.has(answer.status)) return null;
    return addressOf(parseAnswer(answer, RawPair, doing).pn ?? null);
  }

  return { checkExists, findPhone };
}
