import type { ChatSummary } from '../../../typescript/src/index.ts';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { mayDo } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { Face } from './face.tsx';
import { filters } from './filters.ts';
import { lineOf, speakerOf, troubleOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

const When = ({ chat: { waitingSince, lastMessage } }: { chat: ChatSummary }) => {
  if (waitingSince === null) return lastMessage && <Time at={lastMessage.timestamp} how="brief" />;
  return (
    <span class="waits">
      <span class="visually-hidden">{t('Waits')} </span>
      <Time at={waitingSince} how="age" />
    </span>
  );
};

/** One chat of the list: its person, who said the last words, since when they wait, and what went wrong. */
export const ChatRow = ({ chat, isChosen }: { chat: ChatSummary; isChosen: boolean }) => {
  const trouble = troubleOf(chat);
  return (
    <a
      class="chat"
      href={href(`/inbox/${chat.conversationId}`, filters())}
      aria-current={isChosen ? 'true' : undefined}
    >
      <Face name={chat.name} picture={chat.picture} />
      <span class="cut" dir="auto">
        <strong>{chat.name}</strong>
      </span>
      <span class="small quiet">
        <When chat={chat} />
      </span>
      <span class="cut small quiet" dir="auto">
        {speakerOf(chat.lastMessage)}
        {lineOf(chat.lastMessage)}
      </span>
      <span class="small marks">
        {trouble && (
          <Badge tone={trouble.tone} title={trouble.why}>
            {trouble.word}
            <span class="visually-hidden">: {trouble.why}</span>
          </Badge>
        )}
        {chat.mode === 'human_takeover' && <Badge tone="quiet">{chat.assignedTo ?? t('Person')}</Badge>}
        {chat.unreadCount > 0 && !(isChosen && mayDo('send')) && (
          <span class="unread">
            {chat.unreadCount}
            <span class="visually-hidden"> {t('unread')}</span>
          </span>
        )}
      </span>
    </a>
  );
};
