import type { Message } from '../../../../typescript/src/index.ts';
import { phoneOf } from '../person-words.ts';
import { callText, voteText, votersText, votesText } from './content-words.ts';
import { t } from '../../../parts/words/t.ts';

const isWeb = (url: string | null | undefined): url is string => /^https?:\/\//.test(url ?? '');

export const Place = ({ place }: { place: NonNullable<Message['location']> }) => {
  const { latitude, longitude, name, address, url, live } = place;
  return (
    <div class="card">
      {name !== null && <strong dir="auto">{name}</strong>}
      {address !== null && <p dir="auto">{address}</p>}
      {live && <p class="small quiet">{t('Shared while moving, from this place.')}</p>}
      <p class="small">
        <a
          href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('Show on a map')}
        </a>{' '}
        <span class="mono quiet">
          {latitude}, {longitude}
        </span>
      </p>
      {isWeb(url) && (
        <p class="small">
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </p>
      )}
    </div>
  );
};

type ContactCard = NonNullable<Message['contacts']>[number];

const Card = ({ card: { name, organization, phones, emails } }: { card: ContactCard }) => (
  <div class="card">
    <strong dir="auto">{name ?? t('No name')}</strong>
    {organization !== null && <p dir="auto">{organization}</p>}
    {phones.map(({ number, phone }) => (
      <p key={number} class="small">
        <a href={`tel:${phone === null ? number.replaceAll(/[^+\d]/g, '') : phoneOf(phone)}`}>{number}</a>
      </p>
    ))}
    {emails.map((email) => (
      <p key={email} class="small" dir="auto">
        {email}
      </p>
    ))}
  </div>
);

export const Cards = ({ cards }: { cards: readonly ContactCard[] }) => (
  <>
    {cards.map((card) => (
      <Card key={card.vcard} card={card} />
    ))}
  </>
);

type Poll = NonNullable<Message['poll']>;

/** The options with their votes. The question is the text of the message. */
export const Votes = ({ poll, nameOf }: { poll: Poll; nameOf: (address: string) => string }) => {
  const { name, options, multipleAnswers, votes, moreVotes = 0 } = poll;
  const most = Math.max(1, ...options.map((option) => option.votes));
  return (
    <div class="card">
      <ul aria-label={name}>
        {options.map((option) => (
          <li key={option.text} class="vote">
            <span dir="auto">{option.text}</span>
            <span class="number">{option.votes}</span>
            <meter min={0} max={most} value={option.votes} aria-label={votesText(option.votes)} />
          </li>
        ))}
      </ul>
      <p class="small quiet">{multipleAnswers ? t('Several answers are allowed') : t('One answer each')}</p>
      {votes.length > 0 && (
        <details class="small">
          <summary>{votersText(votes.length + moreVotes)}</summary>
          <ul>
            {votes.map((vote) => (
              <li key={`${vote.from ?? ''}${vote.at}`} dir="auto">
                {voteText(vote, nameOf)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

export const Call = ({ call }: { call: NonNullable<Message['call']> }) => <p>{callText(call)}</p>;

/** The buttons as the customer sees them; one that opens a page says which. */
export const Buttons = ({ of: { header, footer, buttons } }: { of: NonNullable<Message['buttons']> }) => (
  <>
    {header !== undefined && <strong dir="auto">{header}</strong>}
    <ul class="choices" aria-label={t('Buttons')}>
      {buttons.map(({ type, text, url }) => (
        <li key={text} dir="auto">
          {type === 'url' && isWeb(url) ? (
            <a href={url} target="_blank" rel="noreferrer">
              {text}
            </a>
          ) : (
            text
          )}
        </li>
      ))}
    </ul>
    {footer !== undefined && (
      <p class="small quiet" dir="auto">
        {footer}
      </p>
    )}
  </>
);

export const Choices = ({ of: { title, button, footer, sections } }: { of: NonNullable<Message['list']> }) => (
  <div class="card">
    <strong dir="auto">{title}</strong>
    <details>
      <summary dir="auto">{button}</summary>
      {sections.map((section, place) => (
        <div key={place}>
          {section.title !== '' && <p class="small quiet">{section.title}</p>}
          <ul class="choices" aria-label={t('List')}>
            {section.rows.map((row) => (
              <li key={row.rowId ?? row.title} dir="auto">
                {row.title}
                {row.description !== undefined && <span class="small quiet"> {row.description}</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
    {footer !== undefined && (
      <p class="small quiet" dir="auto">
        {footer}
      </p>
    )}
  </div>
);
