import type { Message } from '../../../../typescript/src/index.ts';
import { t } from '../../../parts/words/t.ts';

export const messagesText = (n: number): string => (n === 1 ? t('1 message') : t('{0} messages', n));
export const votesText = (n: number): string => (n === 1 ? t('1 vote') : t('{0} votes', n));
export const votersText = (n: number): string => (n === 1 ? t('1 voter') : t('{0} voters', n));
export const moreReactionsText = (n: number): string => (n === 1 ? t('1 more reaction') : t('{0} more reactions', n));

type Call = NonNullable<Message['call']>;

const CALLS: Readonly<Record<Call['status'], string>> = {
  received: t('not answered'),
  rejected: t('declined'),
  accepted: t('answered on the phone'),
};

const callKind = ({ isVideo, isGroup }: Pick<Call, 'isVideo' | 'isGroup'>): string => {
  if (isGroup) return isVideo ? t('group video call') : t('group call');
  return isVideo ? t('video call') : t('call');
};

export const callText = ({ status, ...kind }: Call): string =>
  `${callKind(kind)}, ${CALLS[status]}`.replace(/^./, (first) => first.toUpperCase());

type Names = (address: string) => string;

/** Names the person behind a reaction or a vote. */
export const personText = ({ fromMe, from }: { fromMe: boolean; from: string | null }, nameOf: Names): string =>
  fromMe ? t('You') : nameOf(from ?? '') || t('Unknown person');

type Vote = NonNullable<Message['poll']>['votes'][number];

export const voteText = (vote: Pick<Vote, 'fromMe' | 'from' | 'options'>, nameOf: Names): string =>
  `${personText(vote, nameOf)}: ${vote.options === null ? t('cannot be read') : vote.options.join(', ')}`;

type Notice = NonNullable<Message['notice']>;

const NOTICES: Readonly<Record<Notice['type'], string>> = {
  group: t('The group has changed'),
  message_pinned: t('A message was pinned or unpinned'),
  call_log: t('A call'),
  encryption: t('The encryption of the chat has changed'),
  system: t('A notice of the network'),
};

const CHANGES: Readonly<Record<string, string>> = {
  joined: t('joined'),
  left: t('left'),
  role: t('has another role'),
};

const GROUPS: Readonly<Record<string, string>> = {
  joined: t('The account is in the group now'),
  left: t('The account is no longer in the group'),
};

/** Says in a sentence what a notice is about. */
export const noticeText = ({ type, group }: Notice, nameOf: Names): string => {
  if (group === undefined) return NOTICES[type];
  const { changed, name, participants } = group;
  const said = [
    ...changed.flatMap((change) => GROUPS[change] ?? []),
    ...(changed.includes('name') && name !== null ? [t('The group is called “{0}”', name)] : []),
    ...participants.map(({ chatId, change }) => `${nameOf(chatId)} ${CHANGES[change] ?? change}`),
  ];
  return said.length > 0 ? said.join('. ') : NOTICES.group;
};

type Marks = Pick<Message, 'forwarded' | 'forwardOf' | 'ephemeral' | 'broadcast' | 'renderedAs'>;

/** The labels of a message besides its words. */
export const marksOf = ({ forwarded, forwardOf, ephemeral, broadcast, renderedAs }: Marks): string[] => [
  ...(forwarded === true || forwardOf !== undefined ? [t('Forwarded')] : []),
  ...(ephemeral === true ? [t('Disappearing')] : []),
  ...(broadcast === true ? [t('Sent to a broadcast list')] : []),
  ...(renderedAs === 'text' ? [t('Sent as a numbered list')] : []),
];

const DELETED: Readonly<Record<NonNullable<Message['revokedBy']>, string>> = {
  account: t('Deleted for everyone by us'),
  sender: t('Deleted for everyone by its sender'),
  admin: t('Deleted for everyone by an admin of the group'),
};

export const deletedText = (by: Message['revokedBy']): string =>
  by === undefined ? t('Deleted for everyone') : DELETED[by];
