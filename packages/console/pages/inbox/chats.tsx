import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatSummary } from '../../../typescript/src/index.ts';
import { allOf } from '../../parts/all-of.ts';
import { Search, Select } from '../../parts/field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { usePages } from '../../parts/use-pages.ts';
import { WindowList } from '../../parts/window-list.tsx';
import { engine, place } from '../../shell/engine.ts';
import { finder } from '../../shell/finder/opened.ts';
import { query, setQuery } from '../../shell/location.ts';
import { me } from '../../shell/me.ts';
import { accountOf, tellWaiting } from '../../shell/waiting-count.ts';
import { ChatRow } from './chat-row.tsx';
import { ChatViews } from './chat-views.tsx';
import { FILTERS } from './filters.ts';
import { CHATS } from './known-chats.ts';
import { OwedActions } from './owed.tsx';
import { listPaceMs } from './pace.ts';
import { readingAfter } from './reading.ts';
import type { Reading } from './reading.ts';
import { touched } from './touched.ts';
import { useMoveInList } from './use-move-in-list.ts';
import { viewOf } from './views.ts';
import type { View } from './views.ts';
import { t } from '../../parts/words/t.ts';

const ROW_PX = 58;
const AT_ONCE = 100;
/** A new message reads this number of chats again: its chat is on top. */
const TOP = 30;

const CHANGES = [
  'message',
  'message.any',
  'message.edited',
  'message.revoked',
  'conversation.assigned',
  'conversation.released',
  'conversation.labelled',
  'contact.updated',
  'contact.merged',
  'group.updated',
];

/**
 * Own messages arrive as events once the network has them. A mass send brings thousands of these events. They refresh
 * one page, and nothing if that needs more pages.
 */
const SAID_BY_US = 'message.ack';

const NONE: Readonly<Record<Reading['state'], string>> = {
  unknown: t('No conversations yet'),
  now: t('The engine is loading the account. Its conversations will appear here.'),
  over: t('No conversations yet'),
};

const countOf = (count: number, hasMore: boolean): string => {
  if (hasMore) return t('{0} or more conversations', count);
  return count === 1 ? t('1 conversation') : t('{0} conversations', count);
};

const SessionChoice = () => {
  const { data } = useLoad({
    name: 'sessions',
    load: (signal) => allOf(engine.value.sessions.list({}, { signal })),
  });
  if (!data || data.length < 2) return null;
  const options = data.map((session) => ({ value: session.id, label: session.accountName ?? session.name }));
  const standard = data.find((session) => session.default)?.id;
  return (
    <Select
      label={t('Account')}
      value={query.value['session'] ?? standard}
      options={options}
      onChange={(id) => setQuery({ session: id === standard ? undefined : id })}
    />
  );
};

/** Says why a narrowed list is empty; undefined for one that is not narrowed. */
const noneText = (view: View, isNarrowed: boolean, search: string | undefined): string | undefined => {
  if (view === 'waiting' && search === undefined) return t('Nobody waits for an answer on this account.');
  return isNarrowed ? t('No conversations match.') : undefined;
};

const modeOf = (value: string | undefined): ChatSummary['mode'] | undefined =>
  value === 'bot_active' || value === 'human_takeover' ? value : undefined;

export const Chats = ({ chosen }: { chosen: string | undefined }) => {
  const { search, unread, waiting, mode, assigned, session } = query.value;
  const view = viewOf(query.value, me.value);
  const isOfOther = view === 'all' && (assigned !== undefined || mode !== undefined);
  const isNarrowed = FILTERS.some((name) => name !== 'session' && query.value[name] !== undefined);
  const isNarrowedFurther = [search, unread, mode, assigned].some((value) => value !== undefined);
  const account = accountOf(place.value, session);
  const [reading, setReading] = useState<Reading>({ of: account, state: 'unknown' });
  const isOnePage = useRef(true);
  const chats = usePages({
    name: CHATS,
    load: async (cursor, signal, limit = AT_ONCE) => {
      const page = await engine.value.conversations.list(
        {
          cursor,
          limit,
          search,
          session,
          unread: unread === 'true' ? 'true' : undefined,
          waiting: waiting === 'true' ? 'true' : undefined,
          mode: modeOf(mode),
          assignedTo: assigned,
        },
        { signal },
      );
      if (cursor === undefined && !isNarrowed) {
        const seen = { of: account, isEmpty: page.chats.length === 0, syncing: page.syncing };
        setReading((before) => readingAfter(before, seen));
      }
      if (view === 'waiting' && cursor === undefined && !isNarrowedFurther && !signal.aborted)
        tellWaiting(accountOf(place.value, session), page.total);
      return page;
    },
    items: (page) => page.chats,
    key: (chat) => chat.conversationId,
    deps: [search, unread, waiting, mode, assigned, session],
    keep: true,
    on: [...CHANGES, SAID_BY_US],
    when: ({ type }) => type !== SAID_BY_US || isOnePage.current,
    every: listPaceMs({ isOnePage: isOnePage.current }),
    isBeside: true,
    // In a filtered list, a change may remove a chat from any place.
    top: isNarrowed ? undefined : TOP,
    first: AT_ONCE,
  });
  isOnePage.current = !isNarrowed || (chats.items?.length ?? 0) <= AT_ONCE;
  const changes = touched.value;
  useEffect(() => {
    if (changes > 0) chats.hint();
  }, [changes]);
  useMoveInList(chats.items?.map(({ conversationId }) => conversationId) ?? [], chosen, ROW_PX);
  return (
    <section class="chats" aria-label={t('Conversations')}>
      <ChatViews chosen={chosen} />
      <Search
        label={t('Search')}
        placeholder={t('Search a name or phone')}
        value={search}
        onChange={(text) => setQuery({ search: text })}
        shortcut="/"
      />
      {search !== undefined && (
        <button type="button" class="plain to-finder" onClick={() => (finder.value = search)}>
          {t('Find “')}
          <bdi>{search}</bdi>
          {t('” in messages')}
        </button>
      )}
      <details open={[unread, session].some((value) => value !== undefined) || isOfOther}>
        <summary>{t('Filters')}</summary>
        <div class="filters">
          <Select
            label={t('Show')}
            value={unread}
            options={[
              { value: '', label: t('All') },
              { value: 'true', label: t('Unread') },
            ]}
            onChange={(shown) => setQuery({ unread: shown })}
          />
          <Select
            label={t('Answered by')}
            value={mode}
            options={[
              { value: '', label: t('All') },
              { value: 'bot_active', label: t('The agent') },
              { value: 'human_takeover', label: t('A person') },
            ]}
            onChange={(value) => setQuery({ mode: value })}
          />
          <Search label={t('Assigned to')} value={assigned} onChange={(name) => setQuery({ assigned: name })} />
          <SessionChoice />
        </div>
      </details>
      {waiting === 'true' && <OwedActions reload={chats.reload} />}
      {chats.problem && <Problem problem={chats.problem} retry={chats.reload} />}
      <p class="visually-hidden" role="status">
        {chats.items && !chats.loading && countOf(chats.items.length, chats.hasMore)}
      </p>
      {chats.items?.length === 0 && <p class="quiet">{noneText(view, isNarrowed, search) ?? NONE[reading.state]}</p>}
      {!chats.items && !chats.problem && <Skeleton rows={8} shape="chat" />}
      {chats.items && (
        <WindowList
          label={t('Conversations')}
          items={chats.items}
          itemKey={(chat) => chat.conversationId}
          height={ROW_PX}
          onEnd={chats.hasMore ? chats.more : undefined}
          row={(chat) => <ChatRow chat={chat} isChosen={chat.conversationId === chosen} />}
        />
      )}
    </section>
  );
};
