import type { Message } from '../../../sdk/typescript/src/index.ts';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { mayDo } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { Deeds } from './deeds.tsx';
import { Media } from './media.tsx';
import { MATCHING_TEXT, ORIGINS, stateOf, wordlessText } from './words.ts';

const Edits = ({ message }: { message: Message }) =>
  message.edited && (
    <details class="small">
      <summary>
        Edited <Time at={message.edited.at} />
      </summary>
      <ol>
        {message.edited.versions.slice(0, -1).map((version) => (
          <li key={version.at} class="words quiet" dir="auto">
            {version.body}
          </li>
        ))}
      </ol>
    </details>
  );

const Reactions = ({ message }: { message: Message }) =>
  message.reactions && (
    <ul class="row" aria-label="Reactions">
      {message.reactions.map((reaction) => (
        <li
          key={`${reaction.from ?? 'me'} ${reaction.emoji}`}
          class="badge"
          title={reaction.fromMe ? 'You' : (reaction.from ?? '')}
        >
          {reaction.emoji}
        </li>
      ))}
    </ul>
  );

const Body = ({ message }: { message: Message }) => {
  if (message.revokedAt !== undefined) return <p class="quiet">Deleted for everyone.</p>;
  const wordless = wordlessText(message);
  return (
    <>
      {message.hasMedia && <Media message={message} />}
      {message.body !== '' ? (
        <p class="words" dir="auto">
          {message.body}
        </p>
      ) : (
        !message.hasMedia && wordless !== undefined && <p class="quiet">{wordless}</p>
      )}
      {message.location && (
        <p class="small mono">
          {message.location.latitude}, {message.location.longitude}
        </p>
      )}
      {message.poll && (
        <ul class="choices">
          {message.poll.options.map((option) => (
            <li key={option.text} dir="auto">
              {option.text}
            </li>
          ))}
        </ul>
      )}
      {message.buttons && (
        <ul class="choices" aria-label="Buttons">
          {message.buttons.buttons.map((button) => (
            <li key={button.text} dir="auto">
              {button.text}
            </li>
          ))}
        </ul>
      )}
      {message.list && (
        <ul class="choices" aria-label="List">
          {message.list.sections.flatMap((section) => section.rows.map((row) => <li key={row.title}>{row.title}</li>))}
        </ul>
      )}
    </>
  );
};

/** The engine refuses changes of a message that the network does not have, or that is being matched. */
const isActedOn = ({ status, revokedAt, matching }: Message): boolean =>
  status !== 'failed' && revokedAt === undefined && matching !== true;

/** One message, with what became of it. */
export const Bubble = ({ message, reload }: { message: Message; reload: () => void }) => {
  const status = stateOf(message);
  const origin = ORIGINS[message.origin];
  return (
    <article
      class={`bubble ${message.fromMe ? 'mine' : 'theirs'}`}
      aria-label={message.fromMe ? 'From you' : 'From the customer'}
    >
      <Body message={message} />
      <Reactions message={message} />
      <Edits message={message} />
      {message.error && <p class="small bad words">{message.error.message ?? message.error.code}</p>}
      <div class="about small quiet">
        <Time at={message.timestamp} how="hour" />
        {origin !== '' && <span>{origin}</span>}
        {message.fromMe && (
          <a href={href(`/message/${message.messageId}`)} title={message.matching && MATCHING_TEXT}>
            {status.tone === 'bad' || status.tone === 'warn' ? (
              <Badge tone={status.tone}>{status.word}</Badge>
            ) : (
              status.word
            )}
            <span class="visually-hidden">: show the history of this message</span>
          </a>
        )}
        {mayDo('send') && isActedOn(message) && <Deeds message={message} reload={reload} />}
      </div>
    </article>
  );
};
