import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
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
import { authorOf, Bubble } from './bubble.tsx';
import { Awaited } from './awaited.tsx';
import { Composer } from './composer.tsx';
import { filters } from './filters.ts';
import { Hands } from './takeover.tsx';
import { listedChat } from './known-chats.ts';
import { Later } from './later.tsx';
import { useDeeds } from './message-actions.tsx';
import { LOOK_AT_PHONE_MS } from './pace.ts';
import { Newest } from './newest.tsx';
import { Notice } from './notice.tsx';
import { Person } from './person.tsx';
import { phoneOf } from './person-words.ts';
import { dayAt, isFirstAt, threadOf } from './thread.ts';
import type { Entry } from './thread.ts';
import { touch, touched } from './touched.ts';
import { TurnLine } from './turn.tsx';
import { useNames } from './use-names.ts';
import { useThread } from './use-thread.ts';
import { handoverTitle, lineOf } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { zone } from '../../parts/zone.ts';

const AT_ONCE = 50;
const NONE: readonly Message[] = [];
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

interface LineProps {
  entries: readonly Entry[];
  index: number;
  /** The number of all lines; -1 while some are not loaded. */
  size: number;
  around: Around;
}

const Line = ({ entries, index, size, around }: LineProps) => {
  const entry = entries[index];
  if (entry === undefined) return null;
  if ('turn' in entry) return <TurnLine turn={entry.turn} />;
  if ('handover' in entry)
    return (
      <p class="day small quiet" dir="auto">
        {handoverTitle(entry.handover)}
        {entry.handover.reason !== null && ` – ${entry.handover.reason}`}
      </p>
    );
  if (entry.notice) return <Notice message={entry} around={around} />;
  return (
    <Bubble message={entry} isFirst={isFirstAt(entries, index)} around={around} position={index + 1} size={size} />
  );
};

const Day = ({ at }: { at: Date | undefined }) =>
  at && (
    <h3 class="day small quiet">
      <Time at={at.toISOString()} how="day" />
    </h3>
  );

const isOf =
  (id: string) =>
  (event: { conversationId: string | null }): boolean =>
    event.conversationId === id;

/** The newest messages, or those around the one at which the address opens the thread. */
const useMessages = (id: string, at: string | undefined): Paged<Message> & { hasNewer: boolean } => {
  const [hasNewer, setNewer] = useState(false);
  const paged = usePages({
    name: 'messages',
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
    first: AT_ONCE,
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
  const { items = NONE, hasMore, hasNewer, problem } = said;
  const entries = useMemo(
    () =>
      threadOf({
        messages: items,
        turns: turns.data?.turns ?? [],
        handovers: chat.data?.handovers ?? [],
        hasOlder: hasMore,
        hasNewer,
      }),
    [items, turns.data, chat.data?.handovers, hasMore, hasNewer],
  );
  const changes = touched.value;
  useEffect(() => {
    if (changes > 0) said.hint();
  }, [changes]);
  const { box, lines, rows, height, measure, scrolled, pressed, toNewest, lead, count } = useThread({
    entries,
    messages: items,
    at: around.at,
    more: hasMore && !problem ? said.more : undefined,
  });
  useEffect(() => {
    if (sends > 0) toNewest();
  }, [sends]);
  const [led, setLed] = useState<string | undefined>(undefined);
  const { deeds, dialogs } = useDeeds(around.reload);
  const within: Around = {
    ...around,
    deeds,
    at: led ?? around.at,
    lead: (messageId) => {
      setLed(messageId);
      lead(messageId);
    },
  };
  const retry = (): void => {
    said.reload();
    said.more();
  };
  return (
    <>
      {problem && <Problem problem={problem} retry={retry} />}
      {turns.problem && <Problem problem={turns.problem} retry={turns.reload} />}
      <div
        ref={box}
        class="thread"
        role="log"
        // Scrolling adds lines, and a screen reader would read each of them aloud.
        aria-live="off"
        aria-label={t('Messages')}
        tabIndex={0}
        aria-busy={said.loading}
        onScroll={scrolled}
        onKeyDown={pressed}
      >
        {entries.length === 0 && !problem && (
          <div class="awaited">
            {said.items === undefined ? <Awaited id={id} /> : <p class="quiet">{t('No messages yet.')}</p>}
          </div>
        )}
        <div ref={lines} class="lines" style={{ height: `${height}px` }}>
          {rows.map(({ index, key, start }) => (
            <div key={key} ref={measure} class="entry" data-index={index} data-key={key} style={{ top: `${start}px` }}>
              <Day at={dayAt(entries, index, zone.value)} />
              <Line entries={entries} index={index} size={hasMore || hasNewer ? -1 : entries.length} around={within} />
            </div>
          ))}
        </div>
        <Newest count={count} hasNewer={hasNewer} go={toNewest} />
      </div>
      {dialogs}
      <Heard newest={around.at === undefined ? items[0] : undefined} around={around} />
    </>
  );
};

/** Tells a screen reader each message that arrives while the chat is open. */
const Heard = ({ newest, around }: { newest: Message | undefined; around: Around }) => {
  const first = useRef(newest?.messageId);
  first.current ??= newest?.messageId;
  if (newest === undefined || newest.messageId === first.current || newest.fromMe)
    return <p class="visually-hidden" role="status" />;
  const { body, kind, contentState } = newest;
  return (
    <p class="visually-hidden" role="status">
      {authorOf(newest, around)}: {lineOf({ body, kind, ...(contentState && { contentState }) })}
    </p>
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
          {data?.name ?? (isGone ? undefined : listedChat(id)?.name) ?? '…'}
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
    name: 'conversation',
    load: (signal) => engine.value.conversations.read(id, {}, { signal }),
    deps: [id],
    on: ['message', 'message.any', ...HANDS],
    when: isOf(id),
    every: LOOK_AGAIN_MS,
    isBeside: true,
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
