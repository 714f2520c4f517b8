import { z } from 'zod';
import type { NetworkContact } from '../../../domain/network/network-event.ts';
import { errorWordsOf, isSuccess } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import type { Http } from '../http/http.ts';
import { answerTo, parseAnswer, read } from '../http/read.ts';
import { addressOf } from '../events/message-id.ts';
import { Address, Text } from '../events/raw.ts';
import { refused } from '../http/refusal.ts';
import { toNetworkContact } from './contact.ts';

const RawExists = z.object({ numberExists: z.boolean(), chatId: Address });

const RawPair = z.object({ pn: Address.optional() });

const Items = z.array(z.unknown());
const RawPicture = z.object({ profilePictureURL: Text });

/** Longer than that of other reads, because the backend sorts the whole list for each page. */
const LIST_TIMEOUT_MS = 30_000;

export interface ContactPage {
  session: string;
  limit: number;
  offset: number;
}

export interface BlockRequest {
  session: string;
  chatId: string;
  isBlocked: boolean;
}

/** The timeout is short, because an agent's reply waits for this answer and can do without it. */
const FIND_PHONE_TIMEOUT_MS = 3_000;

/**
 * Asks the backend about contacts. Checks in bulk get an account banned, so callers of `checkExists` cache the answer
 * (`docs/extend/backend.md#sending`, 9).
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

  /**
   * Lists the people whom the account knows, in the order of their addresses. Entries that are nobody stand in the
   * answer as null, so that a page's length still says whether there is more.
   */
  async function listContacts({ session, limit, offset }: ContactPage): Promise<(NetworkContact | null)[]> {
    const items = await read(http, Items, {
      method: 'GET',
      path: '/api/contacts/all',
      query: { session, limit, offset, sortBy: 'id', sortOrder: 'asc' },
      timeoutMs: LIST_TIMEOUT_MS,
      doing: 'list the contacts',
    });
    return items.map(toNetworkContact);
  }

  /** Returns the address of the person's picture; null when they show none, and on an engine that has no such route. */
  async function findPicture({ session, chatId }: { session: string; chatId: string }): Promise<string | null> {
    const doing = "find the contact's picture";
    const query = { session, contactId: chatId };
    const path = '/api/contacts/profile-picture';
    const answer = await answerTo(http, { method: 'GET', path, query, timeoutMs, doing });
    if (answer.status === 501) return null;
    return parseAnswer(answer, RawPicture, doing).profilePictureURL;
  }

  /** Makes the account block the person, or let them write again. Throws when the session's engine cannot. */
  async function setBlocked({ session, chatId, isBlocked }: BlockRequest): Promise<void> {
    const act = isBlocked ? 'block' : 'unblock';
    const doing = `${act} the contact`;
    const path = `/api/contacts/${act}`;
    const body = { session, contactId: chatId };
    const answer = await answerTo(http, { method: 'POST', path, body, timeoutMs, doing });
    if (!isSuccess(answer)) throw refused(answer, doing);
  }

  return { checkExists, findPhone, listContacts, findPicture, setBlocked };
}

/** Tells a backend that keeps no hidden ids from a session that does not run, which answers 404 as well. */
function hasNoHiddenIds(answer: HttpAnswer): boolean {
  return answer.status === 501 || (answer.status === 404 && /^cannot get\b/i.test(errorWordsOf(answer).text));
}
