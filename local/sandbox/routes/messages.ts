import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter, paramOf, queryOf } from '../http/context.ts';
import type { Context } from '../http/context.ts';
import { EngineFailure, notFound, notImplemented } from '../http/failures.ts';
import { page } from '../http/page.ts';
import { parse } from '../http/parse.ts';
import { isFullId } from '../ids.ts';
import { accountOf, engineOf } from '../network/core.ts';
import { viewOf } from '../network/emit.ts';
import { findMessage, hasStore, messagesOf, newestMessages } from '../network/history.ts';
import { personAt } from '../network/identity.ts';
import type { Parts } from '../parts.ts';
import { waMessage } from '../shapes/wa-message.ts';
import { ackName } from '../state/message.ts';
import type { Message } from '../state/message.ts';
import type { Session } from '../state/session.ts';

const Filter = z.object({
  gte: z.coerce.number('filter.timestamp.gte must be a number').default(-Infinity),
  lte: z.coerce.number('filter.timestamp.lte must be a number').default(Infinity),
  fromMe: z.enum(['true', 'false']).optional(),
  ack: z.string().optional(),
});

export function messageRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/chats/:chatId/messages', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { limit, offset } = page(ctx, 10);
    const keep = filterOf(ctx);
    const chatId = paramOf(ctx, 'chatId');
    const engine = engineOf(core, session);
    if (chatId === 'all' && engine === 'WEBJS') throw notImplemented(engine);
    const wanted = chatId === 'all' ? 'all' : toChatId(chatId);
    if (hidesSends(session, wanted) && queryOf(ctx, 'filter.fromMe') === 'true') throw new EngineFailure('Timed Out');
    const view = viewOf(core, session, withMedia(ctx));
    if (hasStore(core, session) && isPlain(ctx)) {
      const newestFirst = newestMessages(accountOf(session), wanted, { limit, offset });
      ctx.body = newestFirst.map((message) => waMessage(message, view));
      return;
    }
    const oldestFirst = hasStore(core, session) ? messagesOf(accountOf(session), wanted, keep) : [];
    const sorted = queryOf(ctx, 'sortOrder') === 'asc' ? oldestFirst : oldestFirst.reverse();
    ctx.body = sorted.slice(offset, offset + limit).map((message) => waMessage(message, view));
  });

  router.get('/api/messages', async (ctx) => {
    const session = await sessions.working(ctx, 'query');
    const { limit, offset } = page(ctx, 10);
    const newestFirst = messagesOf(accountOf(session), toChatId(queryOf(ctx, 'chatId') ?? ''), filterOf(ctx)).reverse();
    const view = viewOf(core, session, withMedia(ctx));
    ctx.body = newestFirst.slice(offset, offset + limit).map((message) => waMessage(message, view));
  });

  router.get('/api/:session/chats/:chatId/messages/:messageId', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const messageId = paramOf(ctx, 'messageId');
    if (engineOf(core, session) === 'WEBJS' && !isFullId(messageId)) {
      throw new EngineFailure('Message id be in format false_11111111111@c.us_AAAAAAAAAAAAAAAAAAAA[_participant]');
    }
    const message = hasStore(core, session) ? findMessage(session, messageId) : undefined;
    if (!message) throw notFound('Message not found');
    ctx.body = waMessage(message, viewOf(core, session, withMedia(ctx)));
  });

  return router;
}

/** True for a list of the newest messages, which leaves nothing out. */
function isPlain(ctx: Context): boolean {
  const filters = ['gte', 'lte'].map((bound) => queryOf(ctx, `filter.timestamp.${bound}`));
  const others = [queryOf(ctx, 'filter.fromMe'), queryOf(ctx, 'filter.ack')];
  return queryOf(ctx, 'sortOrder') !== 'asc' && [...filters, ...others].every((value) => value === undefined);
}

function hidesSends(session: Session, chatId: string): boolean {
  return chatId !== 'all' && personAt(accountOf(session), chatId).hidesSends === true;
}

const withMedia = (ctx: Context): boolean => queryOf(ctx, 'downloadMedia') !== 'false';

function filterOf(ctx: Context): (message: Message) => boolean {
  const { gte, lte, fromMe, ack } = parse(Filter, {
    gte: queryOf(ctx, 'filter.timestamp.gte'),
    lte: queryOf(ctx, 'filter.timestamp.lte'),
    fromMe: queryOf(ctx, 'filter.fromMe'),
    ack: queryOf(ctx, 'filter.ack'),
  });
  return (message) =>
    message.timestamp >= gte &&
    message.timestamp <= lte &&
    (fromMe === undefined || message.fromMe === (fromMe === 'true')) &&
    (ack === undefined || ackName(message.ack) === ack);
}
