import { useEffect, useId, useState } from 'preact/hooks';
import { EngineError } from '../../../typescript/src/index.ts';
import type { FoundMessage } from '../../../typescript/src/index.ts';
import { listedChat } from '../../pages/inbox/known-chats.ts';
import { isComposing } from '../../pages/inbox/compose/is-send.ts';
import { lineOf } from '../../pages/inbox/words.ts';
import { PAGES } from '../../pages/index.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useCombobox } from '../../parts/use-combobox.ts';
import { useLoad } from '../../parts/use-load.ts';
import { engine, place, who } from '../engine.ts';
import { href, query } from '../location.ts';
import { mayOpen } from '../who.ts';
import { asWords, GROUPS, hitOfChat, hitOfId, hitOfMessage, hitsOfPages, mayTake } from './hits.ts';
import type { Hit } from './hits.ts';
import { finder } from './opened.ts';
import { t } from '../../parts/words/t.ts';

const PEOPLE = 6;
const MESSAGES = 12;
const TYPED_FOR_MS = 250;

const mayFind = (): boolean =>
  who.value !== null &&
  mayOpen(who.value, { name: 'inbox' }) &&
  (who.value.tenantId !== null || place.value.tenantId !== undefined);

/** A search of signs alone has no words, which is no failure for somebody who still types. */
const orNone = <T,>(error: unknown, none: T): T => {
  if (error instanceof EngineError && error.code === 'invalid_request') return none;
  throw error;
};

/** A message that was found names no person. The list may have one, else the number says who it is. */
const nameOf = ({ conversationId, chatId }: FoundMessage): string => {
  const [number, network] = chatId.split('@');
  return listedChat(conversationId)?.name ?? (network === 'c.us' ? `+${number}` : t('A conversation'));
};

const search = async (typed: string, abort: AbortSignal): Promise<Hit[]> => {
  const { conversations, messages } = engine.value;
  const { session } = query.value;
  const [people, said] = await Promise.all([
    conversations.list({ search: typed, session, limit: PEOPLE }, { signal: abort }).then(({ chats }) => chats),
    messages.search({ q: asWords(typed), limit: MESSAGES }, { signal: abort }).then(
      (page) => page.messages,
      (error: unknown) => orNone(error, []),
    ),
  ]);
  const names = new Map(people.map(({ conversationId, name }) => [conversationId, name]));
  return [
    ...people.map((chat) => hitOfChat(chat, lineOf(chat.lastMessage), session)),
    ...said.map((message) => {
      const name = names.get(message.conversationId) ?? nameOf(message);
      return hitOfMessage(message, message.fromMe ? t('To {0}', name) : name);
    }),
  ];
};

const useTyped = (first: string) => {
  const [typed, setTyped] = useState(first);
  const [wanted, setWanted] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed), TYPED_FOR_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, setTyped, wanted: wanted.trim() };
};

/** A hit of the words before stays in sight, and Enter waits for those of the new words. */
const Line = ({ hit, isStale }: { hit: Hit; isStale: boolean }) => (
  <a class="hit" role="option" aria-disabled={isStale} tabIndex={-1} href={href(hit.to, hit.query)}>
    <span class="cut">
      <bdi>{hit.title}</bdi>
      <span class="small quiet"> {GROUPS[hit.group]}</span>
    </span>
    {hit.text.length > 0 && (
      <span class="cut small quiet" dir="auto">
        {hit.text.map(({ words, isMatch }, at) => (isMatch ? <mark key={at}>{words}</mark> : words))}
      </span>
    )}
  </a>
);

const Found = ({ first }: { first: string }) => {
  const id = useId();
  const { typed, setTyped, wanted } = useTyped(first);
  const isAsked = wanted !== '' && mayFind();
  const { data, problem, loading, reload } = useLoad({
    load: async (abort) => (isAsked ? search(wanted, abort) : []),
    deps: [wanted, isAsked, query.value['session']],
    keep: true,
  });
  const { value: login } = who;
  const opens = (name: string): boolean => login !== null && mayOpen(login, { name });
  const pages = PAGES.filter((page) => login !== null && mayOpen(login, page));
  const hits = [...hitOfId(typed, opens), ...hitsOfPages(typed, pages), ...(wanted === '' ? [] : (data ?? []))];
  const isCurrent = wanted === typed.trim() && !loading;
  /** Enter was pressed for these words before their hits were there. A flag would lose an Enter right after a letter. */
  const [entered, setEntered] = useState<string | null>(null);
  const { input, list } = useCombobox<HTMLDivElement>({
    isOpen: true,
    takesFirst: true,
    of: JSON.stringify([typed, isCurrent, hits.map(({ key }) => key)]),
  });
  useEffect(() => {
    if (isCurrent && entered === typed) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
  }, [isCurrent, entered, typed]);
  return (
    <>
      <input
        ref={input}
        // Escape would only empty a field of type search, and the dialog would stay.
        type="text"
        autofocus
        aria-label={t('Find people, words, messages, ids and pages')}
        placeholder={t('People, words, messages, ids, pages')}
        autocomplete="off"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event)) setEntered(event.currentTarget.value);
        }}
      />
      {problem && <Problem problem={problem} retry={reload} />}
      <div
        ref={list}
        id={id}
        class="hits"
        role="listbox"
        aria-label={t('Hits')}
        onClick={() => {
          finder.value = null;
        }}
      >
        {hits.map((hit) => (
          <Line key={hit.key} hit={hit} isStale={!mayTake(hit, isCurrent)} />
        ))}
      </div>
      <p class="small quiet" role="status">
        {hits.length === 0 && (loading || wanted !== typed.trim() ? t('Searching …') : t('Nothing found.'))}
        {!mayFind() && t(' Choose a tenant in the menu to find people and messages.')}
      </p>
    </>
  );
};

/** One field for everything, opened by Ctrl+K. */
export const Finder = () => (
  <Dialog open={finder.value !== null} onClose={() => (finder.value = null)} title={t('Find')}>
    <Found first={finder.value ?? ''} />
  </Dialog>
);
