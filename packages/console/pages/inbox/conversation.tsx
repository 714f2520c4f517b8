import { useEffect, useState } from 'preact/hooks';
import type { AgentState, Conversation as Chat, Message } from '../../../typescript/src/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../parts/use-load.ts';
import type { Loading } from '../../parts/use-load.ts';
import { usePages } from '../../parts/use-pages.ts';
import type { Paged } from '../../parts/use-pages.ts';
import { engine, mayDo } from '../../shell/engine.ts';
import { href, query } from '../../shell/location.ts';
import { presenceText } from './about/presence-words.ts';
import { usePresence } from './about/presence.tsx';
import type { Around } from './around.ts';
import { Bubble } from './bubble.tsx';
import { Awaited } from './awaited.tsx';
import { Composer } from './composer.tsx';
import { filters } from './filters.ts';
import { Hands } from './takeover.tsx';
import { forgetChat, listedChats, openedChats, openedMessages } from './known-chats.ts';
import { Later } from './later.tsx';
import { LOOK_AT_PHONE_MS } from './pace.ts';
import { Newest } from './newest.tsx';
import { Notice } from './notice.tsx';
import { Person } from './person.tsx';
import { phoneOf } from './person-words.ts';
import { threadOf } from './thread.ts';
import type { Entry } from './thread.ts';
import { touch, touched } from './touched.ts';
import { TurnLine } from './turn.tsx';
import { useNames } from './use-names.ts';
import { usePlaceInThread } from './use-place-in-thread.ts';
import { handoverTitle } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { zone } from '../../parts/zone.ts';

const AT_ONCE = 50;
/** An event reads this number of the newest messages again. */
const TOP = 30;
/** For what no event tells, such as that a message waits or that the agent thinks. */
const LOOK_AGAIN_MS = 10_000;
/** No event reports the agent's switches. */
const LOOK_AT_AGENT_MS = 30_000;
const HANDS = ['conversation.assigned', 'conversation.released', 'conversation.labelled', 'contact.updated'];
const SAID = [
  'message',
  'message.any',
  'message.ack',
  'message.media',
  'message.edited',
  'message.revoked',
  'message.reaction',
  'message.vote',
  'message.updated',
  'message.deleted',
  'call.updated',
  'conversation.assigned',
  'conversation.released',
];
const Line = ({ entry, around }: { entry: Entry; around: Around }) => {
  if (entry.kind === 'day')
    return (
      <h3 class="day small quiet">
        <Time at={entry.at.toISOString()} how="day" />
      </h3>
    );
  if (entry.kind === 'turn') return <TurnLine turn={entry.turn} />;
  if (entry.kind === 'message') {
    const { message, isFirst } = entry;
    if (message.notice) return <Notice message={message} around={around} />;
    return <Bubble message={message} isFirst={isFirst} around={around} />;
  }
  return (
    <p class="day small quiet" dir="auto">
      {handoverTitle(entry.handover)}
      {entry.handover.reason !== null && ` – ${entry.handover.reason}`}
    </p>
  );
};

const isOf =
  (id: string) =>
  (event: { conversationId: string | null }): boolean =>
    event.conversationId === id;

/** The newest messages, or those around the one at which the address opens the thread. */
const useMessages = (id: string, at: string | undefined): Paged<Message> & { hasNewer: boolean } => {
  const [hasNewer, setNewer] = useState(false);
  const paged = usePages({
    load: async (cursor, signal, limit = AT_ONCE) => {
      const isAround = at !== undefined && cursor === undefined;
      const asked = isAround ? { around: at, limit } : { cursor, limit };
      const page = await engine.value.conversations.listMessages(id, asked, { signal });
      if (isAround) setNewer(page.hasNewer);
      return page;
    },
    items: (page) => page.messages,
    key: (message) => message.messageId,
    deps: [id, at],
    on: SAID,
    when: isOf(id),
    every: LOOK_AT_PHONE_MS,
    top: at === undefined ? TOP : undefined,
    known: at === undefined ? openedMessages : undefined,
  });
  return { ...paged, hasNewer: at !== undefined && hasNewer };
};

interface ThreadProps {
  id: string;
  chat: Loading<Chat>;
  said: Paged<Message> & { hasNewer: boolean };
  around: Around;
  /** Grows with each answer that is sent here, which the thread then follows. */
  sends: number;
}

const Thread = ({ id, chat, said, around, sends }: ThreadProps) => {
  const turns = useLoad({
    load: (signal) => engine.value.agentTurns.list(id, { limit: AT_ONCE }, { signal }),
    deps: [id],
    on: SAID,
    when: isOf(id),
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  const entries =
    said.items &&
    threadOf({
      messages: said.items,
      turns: turns.data?.turns ?? [],
      handovers: chat.data?.handovers ?? [],
      hasOlder: said.hasMore,
      hasNewer: said.hasNewer,
      zone: zone.value,
    });
  const changes = touched.value;
  useEffect(() => {
    if (changes > 0) said.hint();
  }, [changes]);
  const { box, lines, scrolled, pressed, toNewest, count } = usePlaceInThread({
    ids: said.items?.map(({ messageId }) => messageId) ?? [],
    at: around.at,
  });
  useEffect(() => {
    if (sends > 0) toNewest();
  }, [sends]);
  return (
    <div
      ref={box}
      class="thread"
      role="log"
      aria-label={t('Messages')}
      tabIndex={0}
      aria-busy={said.loading}
      onScroll={scrolled}
      onKeyDown={pressed}
    >
      <div ref={lines} class="lines">
        {said.problem && <Problem problem={said.problem} retry={said.reload} />}
        {turns.problem && <Problem problem={turns.problem} retry={turns.reload} />}
        {said.hasMore && (
          <button type="button" onClick={said.more}>
            {t('Show earlier messages')}
          </button>
        )}
        {!entries && !said.problem && <Awaited id={id} />}
        {entries?.length === 0 && <p class="quiet">{t('No messages yet.')}</p>}
        {entries?.map((entry) => (
          <Line key={entry.key} entry={entry} around={around} />
        ))}
      </div>
      <Newest count={count} hasNewer={said.hasNewer} go={toNewest} />
    </div>
  );
};

/** Marks an open and visible chat as read, so that its count goes down. */
const useMarkRead = (id: string, chat: Loading<Chat>): void => {
  const unread = chat.data?.unreadCount ?? 0;
  useEffect(() => {
    if (unread === 0 || !mayDo('send') || document.hidden) return;
    // A failed mark leaves the chat unread, which the list shows.
    engine.value.conversations.markRead(id, { tellNetwork: true }).then(
      () => {
        if (chat.data) chat.set({ ...chat.data, unreadCount: 0 });
        touch();
      },
      () => undefined,
    );
  }, [id, unread]);
};

interface HeadProps {
  id: string;
  chat: Loading<Chat>;
  /** Erased data must not stay in sight, and the list may still know the name. */
  isGone: boolean;
  silence: AgentState['silence'];
}

const Head = ({ id, chat: { data, reload }, isGone, silence }: HeadProps) => {
  const others = usePresence(id);
  const phone = data?.contact?.phone && data.contact.phone !== data.name ? phoneOf(data.contact.phone) : null;
  return (
    <header class="chat-head">
      <a class="back" href={href('/inbox', filters())}>
        <Icon name="back" />
        <span class="visually-hidden">{t('All conversations')}</span>
      </a>
      <div class="whose">
        <h2 class="cut" dir="auto">
          {data?.name ?? (isGone ? undefined : listedChats.get(id)?.name) ?? '…'}
        </h2>
        <p class="cut small quiet">
          {/* A screen reader announces the colleagues, and not the number again whenever one of them leaves. */}
          <span role="status">{presenceText(others) ?? ''}</span>
          {others.length > 0 && phone !== null && ' · '}
          {phone ?? (others.length === 0 && '\u00a0')}
        </p>
      </div>
      {data && <Hands chat={data} silence={silence} reload={reload} />}
      <a class="button to-person" href={href(`/inbox/${id}`, { ...filters(), pane: 'person' })}>
        <Icon name="person" />
        <span class="visually-hidden">{t('Person')}</span>
      </a>
    </header>
  );
};

export const Conversation = ({ id }: { id: string }) => {
  const at = query.value['at'];
  const [sends, setSends] = useState(0);
  const said = useMessages(id, at);
  const chat = useLoad({
    load: (signal) => engine.value.conversations.read(id, {}, { signal }),
    deps: [id],
    on: ['message', 'message.any', ...HANDS],
    when: isOf(id),
    every: LOOK_AGAIN_MS,
    isBeside: true,
    known: openedChats,
  });
  const agent = useLoad({
    load: (signal) => engine.value.agentState.read({}, { signal }),
    every: LOOK_AT_AGENT_MS,
    isBeside: true,
  });
  const silence = agent.data?.silence ?? null;
  const isGroup = chat.data !== undefined && chat.data.contactId === null;
  const nameOf = useNames(id, isGroup);
  const around: Around = {
    id,
    at,
    isGroup,
    nameOf,
    said: (messageId) => said.items?.find((message) => message.messageId === messageId),
    reload: said.reload,
  };
  useMarkRead(id, chat);
  const isGone = chat.problem?.code === 'not_found';
  useEffect(() => {
    if (isGone) forgetChat(id);
  }, [id, isGone]);
  return (
    <>
      <section class="conversation" aria-label={t('Conversation with {0}', chat.data?.name ?? '…')}>
        <Head id={id} chat={chat} isGone={isGone} silence={silence} />
        {chat.problem && <Problem problem={chat.problem} retry={chat.reload} />}
        <Thread id={id} chat={chat} said={said} around={around} sends={sends} />
        <Later id={id} />
        {mayDo('send') && (
          <Composer
            id={id}
            chat={chat.data}
            isOfAgent={chat.data?.mode !== 'human_takeover' && silence === null}
            messages={said.items}
            around={around}
            onSent={() => {
              chat.reload();
              touch();
              setSends((before) => before + 1);
            }}
          />
        )}
      </section>
      <Person id={id} chat={chat} />
    </>
  );
};
