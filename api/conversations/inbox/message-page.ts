import { countNewer, findMessagePlace, listMessagesFrom } from '../../../db/conversations/inbox/message-pages.ts';
import type { MessagePlace, MessageSide, PlacedMessage } from '../../../db/conversations/inbox/message-pages.ts';
import type { Message } from '../../../db/conversations/message.ts';
import type { Queries } from '../../../db/engine/tx.ts';
import { notFound } from '../../../domain/error.ts';
import type { Scope } from '../../../domain/scope.ts';
import { MAX_DEPTH } from '../await-history.ts';
import { MessageCursor } from './message-cursor.ts';
import type { MessageMark } from './message-cursor.ts';

/** The page of a conversation's messages that is asked for, by one mark at the most. */
export interface AskedPage {
  conversationId: string;
  limit: number;
  offset: number;
  cursor: MessageCursor | undefined;
  before: MessageMark | undefined;
  after: MessageMark | undefined;
  around: MessageMark | undefined;
}

interface MessagePage {
  messages: Message[];
  hasMore: boolean;
  nextCursor: string | null;
  hasNewer: boolean;
  newerCursor: string | null;
}

/** Says how many of the newest messages must be there for the page; none for one that goes towards newer ones. */
export async function depthOf(queries: Queries, scope: Scope, asked: AskedPage): Promise<number> {
  const { conversationId, limit, offset, cursor, before, after, around } = asked;
  if (after !== undefined || cursor?.direction === 'newer') return 0;
  const own = limit + offset;
  if (cursor !== undefined) return cursor.depth + own;
  const mark = before ?? around;
  if (mark === undefined) return own;
  const from = await placeOf(queries, scope, {
    conversationId,
    mark,
    pointer: before ? 'query/before' : 'query/around',
  });
  return own + (await countNewer(queries, scope, { conversationId, from, limit: MAX_DEPTH }));
}

/** Reads a page of a conversation's messages, newest first. `depth` is what {@link depthOf} has answered. */
export async function readMessagePage(
  queries: Queries,
  scope: Scope,
  asked: AskedPage & { depth: number },
): Promise<MessagePage> {
  const { conversationId, limit, cursor, around, depth } = asked;
  const list = (side: MessageSide, count: number, offset = asked.offset) =>
    listMessagesFrom(queries, scope, { ...side, conversationId, limit: count + 1, offset });
  if (around !== undefined) {
    const from = await placeOf(queries, scope, { conversationId, mark: around, pointer: 'query/around' });
    const older = await list({ direction: 'older', from, inclusive: true }, Math.ceil(limit / 2));
    const newer = await list({ direction: 'newer', from }, Math.floor(limit / 2), 0);
    const shown = [...newer.slice(0, Math.floor(limit / 2)).toReversed(), ...older.slice(0, Math.ceil(limit / 2))];
    return toPage(shown, {
      conversationId,
      depth,
      older: older.length > Math.ceil(limit / 2),
      newer: newer.length > Math.floor(limit / 2),
      direction: 'older',
    });
  }
  const side = await sideOf(queries, scope, asked);
  const found = await list(side, limit);
  const shown = found.slice(0, limit);
  const isMore = found.length > limit;
  /** The newest page has none by its making; another one may turn out to be the newest, and is asked. */
  const isAnyNewer = async (): Promise<boolean> => {
    if (side.from === null && asked.offset === 0) return false;
    const [first] = shown;
    const from = first ? { at: first.at, id: first.message.id } : side.from;
    return (await list({ direction: 'newer', from, inclusive: first === undefined }, 0, 0)).length > 0;
  };
  const { direction } = side;
  return direction === 'older'
    ? toPage(shown, { conversationId, depth, older: isMore, newer: await isAnyNewer(), direction })
    : stay(toPage(shown.toReversed(), { conversationId, depth, older: false, newer: isMore, direction }), cursor);
}

/** Whoever asks for what is newer, and gets nothing yet, asks from the same place again. */
function stay(page: MessagePage, cursor: MessageCursor | undefined): MessagePage {
  return page.newerCursor === null && cursor !== undefined
    ? { ...page, newerCursor: MessageCursor.encode(cursor) }
    : page;
}

async function sideOf(queries: Queries, scope: Scope, asked: AskedPage): Promise<MessageSide> {
  const { conversationId, cursor, before, after } = asked;
  if (cursor !== undefined) return { direction: cursor.direction, from: { at: cursor.at, id: cursor.id } };
  const mark = before ?? after;
  if (mark === undefined) return { direction: 'older', from: null };
  const pointer = before ? 'query/before' : 'query/after';
  return {
    direction: before ? 'older' : 'newer',
    from: await placeOf(queries, scope, { conversationId, mark, pointer }),
  };
}

async function placeOf(
  queries: Queries,
  scope: Scope,
  { conversationId, mark, pointer }: { conversationId: string; mark: MessageMark; pointer: string },
): Promise<MessagePlace> {
  if ('at' in mark) return { at: mark.at, id: null };
  const place = await findMessagePlace(queries, scope, { conversationId, messageId: mark.messageId });
  if (place === null) throw notFound('message', pointer);
  return place;
}

/** Makes the page of messages that are given newest first. `older` and `newer` say whether there are more. */
function toPage(
  shown: readonly PlacedMessage[],
  of: { conversationId: string; depth: number; older: boolean; newer: boolean; direction: MessageSide['direction'] },
): MessagePage {
  const { conversationId, depth, direction } = of;
  const at = (placed: PlacedMessage | undefined, way: MessageSide['direction']): string | null =>
    placed === undefined
      ? null
      : MessageCursor.encode({ conversationId, direction: way, at: placed.at, id: placed.message.id, depth });
  const hasMore = direction === 'older' ? of.older : of.newer;
  return {
    messages: shown.map(({ message }) => message),
    hasMore,
    nextCursor: hasMore ? at(direction === 'older' ? shown.at(-1) : shown[0], direction) : null,
    hasNewer: of.newer,
    newerCursor: at(shown[0], 'newer'),
  };
}
