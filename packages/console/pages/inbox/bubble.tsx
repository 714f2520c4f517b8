import type { Message } from '../../../typescript/src/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { mayDo } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { colourOf } from './around.ts';
import type { Around } from './around.ts';
import { deletedText, marksOf, moreReactionsText, personText } from './content/content-words.ts';
import { Buttons, Call, Cards, Choices, Place, Votes } from './content/parts.tsx';
import { Text } from './content/text.tsx';
import { Deeds } from './message-actions.tsx';
import { changeDraft } from './drafts.ts';
import { Media } from './media.tsx';
import { Quote } from './quote.tsx';
import { isQuotable, MATCHING_TEXT, ORIGINS, stateOf, wordlessText } from './words.ts';
import { t } from '../../parts/words/t.ts';

interface BubbleProps {
  message: Message;
  around: Around;
  /** Whether another person wrote the message before. */
  isFirst: boolean;
  /** Its place among the lines of the thread, from 1, and their number. */
  position: number;
  size: number;
}

const Edits = ({ message: { edited } }: Pick<BubbleProps, 'message'>) =>
  edited && (
    <details class="small">
      <summary>
        {t('Edited')} <Time at={edited.at} />
      </summary>
      <ol>
        {edited.versions.slice(0, -1).map(({ at, body }) => (
          <li key={at} class="words quiet" dir="auto">
            {body} <Time at={at} how="brief" />
          </li>
        ))}
      </ol>
    </details>
  );

const Reactions = ({ message: { reactions, moreReactions }, around }: Pick<BubbleProps, 'message' | 'around'>) =>
  reactions && (
    <ul class="row" aria-label={t('Reactions')}>
      {reactions.map(({ fromMe, from, contactId, emoji, at }) => {
        const by = personText({ fromMe, from }, around.nameOf);
        return (
          <li key={`${from ?? contactId ?? 'me'} ${emoji} ${at}`} class="badge" title={by}>
            {emoji}
            <span class="visually-hidden">
              {' '}
              {t('by')} {by}
            </span>
          </li>
        );
      })}
      {moreReactions !== undefined && <li class="small quiet">{moreReactionsText(moreReactions)}</li>}
    </ul>
  );

/** Content above the text, or without any. */
const Above = ({ message }: { message: Message }) => {
  const { body, kind, hasMedia, viewOnce, location, contacts, poll, call, unsupported } = message;
  const wordless = wordlessText(message);
  const isShown = hasMedia || viewOnce || location || contacts || poll || call;
  return (
    <>
      {(hasMedia || viewOnce) && <Media message={message} />}
      {location && <Place place={location} />}
      {contacts && <Cards cards={contacts} />}
      {call && <Call call={call} />}
      {body === '' && !isShown && wordless !== undefined && (
        <p class="quiet">
          {wordless}
          {kind === 'other' && unsupported !== undefined && ` (${unsupported})`}
        </p>
      )}
      {body === '' && poll && <p dir="auto">{poll.name}</p>}
    </>
  );
};

/** The actions below a message. */
const Below = ({ message: { poll, buttons, list }, around }: Pick<BubbleProps, 'message' | 'around'>) => (
  <>
    {poll && <Votes poll={poll} nameOf={around.nameOf} />}
    {buttons && <Buttons of={buttons} />}
    {list && <Choices of={list} />}
  </>
);

/** A place and a card say themselves what the words above would repeat. */
const wordsOf = ({ body, location, contacts, revokedAt }: Message): string => {
  if (revokedAt !== undefined || contacts !== undefined) return '';
  return location?.name === body ? '' : body;
};

/** The engine refuses changes of a message that the network does not have, or that is being matched. */
const isActedOn = ({ status, revokedAt, matching }: Message): boolean =>
  status !== 'failed' && revokedAt === undefined && matching !== true;

/** When it was written, by whom, and what became of it. */
const About = ({ message, around }: Pick<BubbleProps, 'message' | 'around'>) => {
  const status = stateOf(message);
  const origin = ORIGINS[message.origin];
  const mentioned = message.mentions.map((address) => around.nameOf(address)).join(', ');
  return (
    <div class="about small quiet">
      {[...marksOf(message), ...(mentioned === '' ? [] : [t('Mentions {0}', mentioned)])].map((mark) => (
        <span key={mark}>{mark}</span>
      ))}
      {origin !== '' && <span>{origin}</span>}
      <Time at={message.timestamp} how="hour" />
      {message.fromMe && (
        <a href={href(`/message/${message.messageId}`)} title={message.matching && MATCHING_TEXT}>
          {status.tone === 'bad' || status.tone === 'warn' ? (
            <Badge tone={status.tone}>{status.word}</Badge>
          ) : (
            status.word
          )}
          <span class="visually-hidden">{t(': show the history of this message')}</span>
        </a>
      )}
    </div>
  );
};

export const authorOf = ({ fromMe, from }: Message, { isGroup, nameOf }: Around): string => {
  if (fromMe) return t('From you');
  return isGroup ? t('From {0}', nameOf(from)) : t('From the customer');
};

/** One message, with what became of it. */
export const Bubble = ({ message, around, isFirst, position, size }: BubbleProps) => {
  const { messageId, fromMe, from, replyTo, selected, revokedAt, revokedBy, error } = message;
  const quoted = replyTo ?? selected?.messageId ?? null;
  const words = wordsOf(message);
  // The time stands beside the words, unless something else follows them.
  const isLong = revokedAt === undefined && (message.poll ?? message.buttons ?? message.list ?? null) !== null;
  return (
    <article
      id={`m-${messageId}`}
      class={`bubble ${fromMe ? 'mine' : 'theirs'}${around.at === messageId ? ' found' : ''}`}
      aria-label={authorOf(message, around)}
      aria-posinset={position}
      aria-setsize={size}
    >
      {around.isGroup && !fromMe && isFirst && (
        <p class={`author small ${colourOf(from)}`} dir="auto">
          {around.nameOf(from)}
        </p>
      )}
      {quoted !== null && <Quote id={quoted} around={around} />}
      {selected && (
        <p class="small quiet">
          {t('Selected')}
          {selected.text === words ? '' : `: ${selected.text}`}
        </p>
      )}
      {revokedAt === undefined ? (
        <Above message={message} />
      ) : (
        <p class="quiet">
          {deletedText(revokedBy)} <Time at={revokedAt} />
        </p>
      )}
      {isLong && words !== '' && <Text text={words} />}
      {isLong && <Below message={message} around={around} />}
      <Reactions message={message} around={around} />
      <Edits message={message} />
      {error && <p class="small bad words">{error.message ?? error.code}</p>}
      <div class="line">
        {!isLong && words !== '' && <Text text={words} />}
        <About message={message} around={around} />
      </div>
      {mayDo('send') && isActedOn(message) && (
        <div class="beside">
          {isQuotable(message) && (
            <button
              type="button"
              class="plain"
              title={t('Reply')}
              onClick={() => {
                changeDraft(around.id, { quotes: messageId });
                document.querySelector<HTMLTextAreaElement>('.composer textarea')?.focus();
              }}
            >
              <Icon name="reply" />
              <span class="visually-hidden">{t('Reply')}</span>
            </button>
          )}
          {around.deeds && <Deeds message={message} deeds={around.deeds} />}
        </div>
      )}
    </article>
  );
};
