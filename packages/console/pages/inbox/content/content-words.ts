import type { Message } from '../../../../typescript/src/index.ts';

export const countText = (count: number, of: string): string => `${count} ${of}${count === 1 ? '' : 's'}`;

type Call = NonNullable<Message['call']>;

const CALLS: Readonly<Record<Call['status'], string>> = {
  received: 'not answered',
  rejected: 'declined',
  accepted: 'answered on the phone',
};

export const callText = ({ status, isVideo, isGroup }: Call): string =>
  `${isGroup ? 'Group ' : ''}${isVideo ? 'video call' : 'call'}, ${CALLS[status]}`.replace(/^./, (first) =>
    first.toUpperCase(),
  );

type Names = (address: string) => string;

/** Names the person behind a reaction or a vote. */
export const personText = ({ fromMe, from }: { fromMe: boolean; from: string | null }, nameOf: Names): string =>
  fromMe ? 'You' : nameOf(from ?? '') || 'Unknown person';

type Vote = NonNullable<Message['poll']>['votes'][number];

export const voteText = (vote: Pick<Vote, 'fromMe' | 'from' | 'options'>, nameOf: Names): string =>
  `${personText(vote, nameOf)}: ${vote.options === null ? 'cannot be read' : vote.options.join(', ')}`;

type Notice = NonNullable<Message['notice']>;

const NOTICES: Readonly<Record<Notice['type'], string>> = {
  group: 'The group has changed',
  message_pinned: 'A message was pinned or unpinned',
  call_log: 'A call',
  encryption: 'The encryption of the chat has changed',
  system: 'A notice of the network',
};

const CHANGES: Readonly<Record<string, string>> = {
  joined: 'joined',
  left: 'left',
  role: 'has another role',
};

const GROUPS: Readonly<Record<string, string>> = {
  joined: 'The account is in the group now',
  left: 'The account is no longer in the group',
};

/** Says in a sentence what a notice is about. */
export const noticeText = ({ type, group }: Notice, nameOf: Names): string => {
  if (group === undefined) return NOTICES[type];
  const { changed, name, participants } = group;
  const said = [
    ...changed.flatMap((change) => GROUPS[change] ?? []),
    ...(changed.includes('name') && name !== null ? [`The group is called “${name}”`] : []),
    ...participants.map(({ chatId, change }) => `${nameOf(chatId)} ${CHANGES[change] ?? change}`),
  ];
  return said.length > 0 ? said.join('. ') : NOTICES.group;
};

type Marks = Pick<Message, 'forwarded' | 'forwardOf' | 'ephemeral' | 'broadcast' | 'renderedAs'>;

/** The labels of a message besides its words. */
export const marksOf = ({ forwarded, forwardOf, ephemeral, broadcast, renderedAs }: Marks): string[] => [
  ...(forwarded === true || forwardOf !== undefined ? ['Forwarded'] : []),
  ...(ephemeral === true ? ['Disappearing'] : []),
  ...(broadcast === true ? ['Sent to a broadcast list'] : []),
  ...(renderedAs === 'text' ? ['Sent as a numbered list'] : []),
];

const DELETED: Readonly<Record<NonNullable<Message['revokedBy']>, string>> = {
  account: 'Deleted for everyone by us',
  sender: 'Deleted for everyone by its sender',
  admin: 'Deleted for everyone by an admin of the group',
};

export const deletedText = (by: Message['revokedBy']): string =>
  by === undefined ? 'Deleted for everyone' : DELETED[by];
