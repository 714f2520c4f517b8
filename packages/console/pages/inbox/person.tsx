import type { Conversation } from '../../../typescript/src/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import type { Loading } from '../../parts/use-load.ts';
import { href } from '../../shell/location.ts';
import { About } from './about/about.tsx';
import { Face } from './face.tsx';
import { filters } from './filters.ts';
import { phoneOf } from './person-words.ts';
import { t } from '../../parts/words/t.ts';

type Contact = NonNullable<Conversation['contact']>;

const Marks = ({ chat: { contact, labels } }: { chat: Conversation }) => {
  if (!contact?.isOptedOut && !contact?.isBlocked && labels.length === 0) return null;
  return (
    <ul class="row" aria-label={t('Labels')}>
      {contact?.isOptedOut && (
        <li>
          <Badge tone="bad">{t('Opted out')}</Badge>
        </li>
      )}
      {contact?.isBlocked && (
        <li>
          <Badge tone="bad">{t('Blocked')}</Badge>
        </li>
      )}
      {labels.map(({ id, name, colorHex }) => (
        <li key={id}>
          <span class="badge" style={colorHex === null ? undefined : { borderColor: colorHex }}>
            {name ?? t('Label {0}', id)}
          </span>
        </li>
      ))}
    </ul>
  );
};

const namesOf = ({ name, pushName, phone, lid, isMyContact, aliases }: Contact) =>
  [
    [t('Phone'), phone === null ? t('Hidden by the network') : phoneOf(phone)],
    [t('Profile name'), pushName],
    [t('Address book'), isMyContact ? (name ?? t('Yes')) : t('No')],
    ...(lid === null ? [] : [['LID', <span class="mono">{lid}</span>] as const]),
    ...(aliases.length < 2 ? [] : [[t('Addresses'), <span class="mono">{aliases.join(', ')}</span>] as const]),
  ] as const;

const handsOf = ({ assignedTo, reason, humanActiveAt, returnsAt, waitingSince }: Conversation) => [
  ...(waitingSince === null ? [] : [[t('Waiting since'), <Time at={waitingSince} />] as const]),
  ...(assignedTo === null ? [] : [[t('Assigned to'), <bdi>{assignedTo}</bdi>] as const]),
  ...(reason === null ? [] : [[t('Reason'), <bdi>{reason}</bdi>] as const]),
  ...(humanActiveAt === null ? [] : [[t('Last activity'), <Time at={humanActiveAt} />] as const]),
  ...(returnsAt === null ? [] : [[t('Back to the agent'), <Time at={returnsAt} how="next" />] as const]),
];

const Known = ({ chat }: { chat: Conversation }) => (
  <>
    <div class="row">
      <Face name={chat.name} picture={chat.contact?.picture ?? chat.picture} />
      <h2 dir="auto">{chat.name}</h2>
    </div>
    <Marks chat={chat} />
    <Facts
      items={[
        ...(chat.contact === null ? [[t('Kind'), t('Group')] as const] : namesOf(chat.contact)),
        ...handsOf(chat),
        [t('Known since'), <Time at={chat.createdAt} how="brief" />],
      ]}
    />
  </>
);

/** The person of a conversation. A small screen shows nothing else, so the way back never waits for the data. */
export const Person = ({ id, chat: { data, problem, reload } }: { id: string; chat: Loading<Conversation> }) => (
  <section class="person" aria-label={t('Person')}>
    <a class="back" href={href(`/inbox/${id}`, filters())}>
      <Icon name="back" />
      {t('Conversation')}
    </a>
    {data && <Known chat={data} />}
    {data && <About chat={data} reload={reload} />}
    {!data && problem && <Problem problem={problem} retry={reload} />}
    {!data && !problem && <Skeleton rows={6} shape="line" />}
  </section>
);
