import type { ChatSummary, FoundMessage } from '../../../typescript/src/index.ts';
import { t } from '../../parts/words/t.ts';

/** One line of the finder. */
export interface Hit {
  key: string;
  /** The group under which it is listed. */
  group: 'Pages' | 'Ids' | 'People' | 'Messages';
  title: string;
  /** The words below the title. Parts that match the search are marked. */
  text: readonly { words: string; isMatch: boolean }[];
  to: string;
  query?: Readonly<Record<string, string>>;
}

/** The name of each group. */
export const GROUPS: Readonly<Record<Hit['group'], string>> = {
  Ids: t('Ids'),
  Pages: t('Pages'),
  People: t('People'),
  Messages: t('Messages'),
};

/** The page of an object, by the beginning of its id. */
const PLACES: Readonly<Record<string, { what: string; page: string; path: string }>> = {
  msg: { what: t('Message'), page: 'message', path: '/message/' },
  cnv: { what: t('Conversation'), page: 'inbox', path: '/inbox/' },
  ses: { what: t('Account'), page: 'connect', path: '/connect/' },
  evt: { what: t('Event'), page: 'events', path: '/events/events/' },
  whe: { what: t('Endpoint'), page: 'events', path: '/events/endpoints/' },
  exe: { what: t('Run'), page: 'automations', path: '/automations/runs/' },
};

const ID = /^([a-z]{3})_[\w-]{8,}$/;

export const hitOfId = (typed: string, mayOpen: (page: string) => boolean): Hit[] => {
  const id = typed.trim();
  const place = PLACES[ID.exec(id)?.[1] ?? ''];
  if (place === undefined || !mayOpen(place.page)) return [];
  const text = [{ words: id, isMatch: false }];
  return [{ key: id, group: 'Ids', title: place.what, text, to: place.path + id }];
};

interface ListedPage {
  name: string;
  title: string;
  path: string;
}

export const hitsOfPages = (typed: string, pages: readonly ListedPage[]): Hit[] => {
  const wanted = typed.trim().toLowerCase();
  return pages
    .filter(({ title }) => title.toLowerCase().startsWith(wanted))
    .map(({ name, title, path }) => ({
      key: `page ${name}`,
      group: 'Pages',
      title,
      text: [],
      to: path.split('/:')[0] ?? '/',
    }));
};

/** The hit opens beside the list of the account that was asked; without it, the tenant's default one. */
export const hitOfChat = (
  chat: Pick<ChatSummary, 'conversationId' | 'name'>,
  last: string,
  session: string | undefined,
): Hit => ({
  key: chat.conversationId,
  group: 'People',
  title: chat.name,
  text: [{ words: last, isMatch: false }],
  to: `/inbox/${chat.conversationId}`,
  ...(session !== undefined && { query: { session } }),
});

/** The number of letters shown before the first match. */
const BEFORE = 32;
const SHOWN = 160;

/** The part of a message around the first match. The engine's places count as strings do here. */
export const excerptOf = ({ body, highlights }: Pick<FoundMessage, 'body' | 'highlights'>): Hit['text'] => {
  const first = highlights[0]?.start ?? 0;
  const from = Math.max(0, first - BEFORE);
  const end = Math.min(body.length, from + SHOWN);
  const parts: { words: string; isMatch: boolean }[] = [];
  let at = from;
  for (const { start, end: until } of highlights) {
    if (start >= end) break;
    parts.push({ words: body.slice(at, start), isMatch: false }, { words: body.slice(start, until), isMatch: true });
    at = until;
  }
  parts.push({ words: body.slice(at, Math.max(at, end)), isMatch: false });
  const cut = from > 0 ? [{ words: '… ', isMatch: false }] : [];
  return [...cut, ...parts.filter(({ words }) => words !== '')];
};

type Found = Pick<FoundMessage, 'messageId' | 'conversationId' | 'sessionId' | 'body' | 'highlights'>;

export const hitOfMessage = (message: Found, title: string): Hit => ({
  key: message.messageId,
  group: 'Messages',
  title,
  text: excerptOf(message),
  to: `/inbox/${message.conversationId}`,
  query: { at: message.messageId, session: message.sessionId },
});

/** False for people and messages of the words before, which stay in sight until those of the new words are there. */
export const mayTake = (hit: Pick<Hit, 'group'> | undefined, isCurrent: boolean): boolean =>
  isCurrent || hit?.group === 'Ids' || hit?.group === 'Pages';

/** The words as the engine searches them: the last one may be unfinished. */
export const asWords = (typed: string): string => {
  const words = typed.trim();
  return /[\p{L}\p{N}]$/u.test(words) && !words.includes('"') ? `${words}*` : words;
};
