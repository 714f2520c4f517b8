import { z } from 'zod';
import type { NetworkLabel } from '../../../domain/network/network-event.ts';
import { isSuccess } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { answerTo, read } from '../http/read.ts';
import { refused } from '../http/refusal.ts';
import { RawLabel, toNetworkLabel } from '../events/label.ts';
import { addressOf } from '../events/message-id.ts';
import { Address } from '../events/raw.ts';

const Labels = z.array(RawLabel);
const Chats = z.array(z.object({ id: Address }));

/** Bounds each call, so that a change of labels has ended before the right to it does. */
const LABEL_TIMEOUT_MS = 10_000;
/** A change reads the chat's labels and writes them; the rest is for our own statements. */
export const LABEL_CHANGE_MS = 2 * LABEL_TIMEOUT_MS + 10_000;

interface LabelledChat {
  session: string;
  chatId: string;
}

/** Reads and sets labels. The backend replaces all labels of a chat at once (`docs/extend/backend.md#labels`). */
export function createLabelCalls(http: Http) {
  const pathOf = (session: string, rest = ''): string => `/api/${encodeURIComponent(session)}/labels${rest}`;

  async function listLabels(session: string): Promise<NetworkLabel[]> {
    const doing = 'list the labels';
    const raw = await read(http, Labels, { method: 'GET', path: pathOf(session), timeoutMs: LABEL_TIMEOUT_MS, doing });
    return raw.map(toNetworkLabel);
  }

  async function listLabelsOfChat({ session, chatId }: LabelledChat): Promise<string[]> {
    const path = pathOf(session, `/chats/${encodeURIComponent(chatId)}`);
    const doing = 'read the labels of the chat';
    const raw = await read(http, Labels, { method: 'GET', path, timeoutMs: LABEL_TIMEOUT_MS, doing });
    return raw.map(({ id }) => id);
  }

  async function listChatsOfLabel(session: string, labelId: string): Promise<string[]> {
    const path = pathOf(session, `/${encodeURIComponent(labelId)}/chats`);
    const doing = 'list the chats of a label';
    const raw = await read(http, Chats, { method: 'GET', path, timeoutMs: LABEL_TIMEOUT_MS, doing });
    return raw.flatMap(({ id }) => addressOf(id) ?? []);
  }

  /**
   * Sets all labels of a chat; the backend takes ids that it does not know, too. Returns when it has answered, by its
   * own clock, rounded up to the second that it tells; null when it tells none.
   */
  async function setLabelsOfChat({ session, chatId }: LabelledChat, labelIds: readonly string[]): Promise<Date | null> {
    const path = pathOf(session, `/chats/${encodeURIComponent(chatId)}`);
    const doing = 'set the labels of the chat';
    const body = { labels: labelIds.map((id) => ({ id })) };
    const answer = await answerTo(http, { method: 'PUT', path, body, timeoutMs: LABEL_TIMEOUT_MS, doing });
    if (!isSuccess(answer)) throw refused(answer, doing);
    const secondMs = Date.parse(answer.date ?? '');
    return Number.isNaN(secondMs) ? null : new Date(secondMs + 999);
  }

  return { listLabels, listLabelsOfChat, listChatsOfLabel, setLabelsOfChat };
}
