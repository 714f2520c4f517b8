import { z } from 'zod';
import { userOf } from '../chat-id.ts';
import { parseQuery } from '../control/parse-control.ts';
import { newRouter } from '../http/context.ts';
import { accountOf, engineOf, phoneOf } from '../network/core.ts';
import { chatsOf } from '../network/history.ts';
import type { Parts } from '../parts.ts';
import { ackName } from '../state/message.ts';
import type { Session, StoredMessage } from '../state/session.ts';
import type { SendRecord } from '../state/world.ts';

/** The most rows that the page shows of each kind, the latest first. */
const MAX_CHATS = 40;
const MAX_MESSAGES = 300;
const MAX_SENDS = 50;

const Shown = z.object({ session: z.string().default('') });

/** Tells the page everything that it shows in one answer, so that it need not ask for each part. */
export function viewRoutes({ core, lifecycle, faultList }: Parts) {
  const router = newRouter();
  const { sessions, sends } = core.world;

  router.get('/sandbox/view', (ctx) => {
    const { session: name } = parseQuery(Shown, ctx.query);
    const chosen = sessions.get(name) ?? [...sessions.values()].at(0);
    ctx.body = {
      scansByItself: lifecycle.scansByItself,
      faults: faultList.list(),
      sessions: [...sessions.values()].map((session) => ({
        name: session.name,
        status: session.status,
        since: session.statuses.at(-1)?.timestamp ?? null,
        engine: engineOf(core, session),
        phone: session.account ? userOf(session.account.id) : null,
      })),
      session: chosen?.name ?? null,
      ...(chosen?.account ? said(chosen) : { chats: [], messages: [] }),
      sends: sends
        .filter((send) => send.session === chosen?.name)
        .slice(-MAX_SENDS)
        .toReversed()
        .map((send) => sentTo(send, chosen)),
    };
  });

  return router;
}

function said(session: Session) {
  const account = accountOf(session);
  const person = (chatId: string): string => userOf(phoneOf(account, chatId));
  return {
    chats: chatsOf(account)
      .slice(0, MAX_CHATS)
      .map(({ id, name, last }) => ({ with: person(id), name: name ?? null, last: last?.body ?? null })),
    messages: [...account.messages.values()]
      .toSorted((a, b) => b.timestamp - a.timestamp || b.order - a.order)
      .slice(0, MAX_MESSAGES)
      .toReversed()
      .map((message) => ({ ...shownOf(message), with: person(message.chatId) })),
  };
}

function shownOf(message: StoredMessage) {
  const { id, fromMe, source, kind, body, ack, options, poll, timestamp, revoked, forwarded, viewOnce } = message;
  const { editedAt, reactions = {} } = message;
  return {
    id,
    by: fromMe ? (source === 'api' ? 'engine' : 'phone') : 'person',
    kind,
    text: body,
    marks: [
      ...(revoked ? ['deleted for everyone'] : []),
      ...(editedAt === undefined ? [] : ['edited']),
      ...(forwarded ? ['forwarded'] : []),
      ...(viewOnce ? ['view once'] : []),
    ],
    reactions: Object.values(reactions).filter((emoji) => emoji !== ''),
    options: options?.map(({ text }) => text) ?? poll?.options ?? [],
    level: fromMe ? ackName(ack) : null,
    at: timestamp * 1_000,
  };
}

/** One call of the engine: to whom, what, and how far the message has come. */
function sentTo({ at, chatId, kind, body, networkId, reachedNetwork, duplicate }: SendRecord, session?: Session) {
  const account = session?.account;
  const message = networkId === null ? undefined : account?.messages.get(networkId);
  return {
    at,
    to: chatId === null ? null : userOf(account ? phoneOf(account, chatId) : chatId),
    kind,
    text: body ?? message?.body ?? null,
    level: reachedNetwork ? ackName(message?.ack ?? 0) : 'NOT SENT',
    duplicate,
  };
}
