import type {
  AgentState,
  ChatSummary,
  Handover,
  Message,
  OwedSettled,
  Plan,
  Turn,
} from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { wordOf } from '../../parts/words/word-of.ts';

const MODES: Readonly<Record<ChatSummary['mode'], { word: string; tone: Tone }>> = {
  bot_active: { word: 'Agent answers', tone: 'info' },
  human_takeover: { word: 'A person answers', tone: 'warn' },
};

/** Who answers in a chat, where the agent may be silent in all of them. */
export const answererOf = (
  { mode, assignedTo }: Pick<ChatSummary, 'mode' | 'assignedTo'>,
  silence: AgentState['silence'],
): { word: string; tone: Tone } => {
  if (assignedTo !== null) return { ...MODES[mode], word: `${assignedTo} answers` };
  if (mode === 'human_takeover' || silence === 'human') return MODES.human_takeover;
  return silence === 'paused' ? { word: 'Nobody answers: the agent is off', tone: 'warn' } : MODES.bot_active;
};

/**
 * What is said once somebody has a conversation: this person where no other is named, and the agent falls silent only if
 * it has spoken.
 */
export const takenText = (
  { inFlight, assignee }: { inFlight: number; assignee?: string | undefined },
  silence: AgentState['silence'],
): string => {
  const taken = assignee === undefined ? 'You have the conversation' : `${assignee} has the conversation`;
  if (inFlight > 0) return `${taken}. ${inFlight} of the agent’s messages may still arrive`;
  return silence === null ? `${taken}. The agent no longer answers here` : taken;
};

/** The line that the page shows after it has settled waiting chats. */
export const settledText = ({ action, conversationIds, moreOwed, silence }: OwedSettled): string => {
  if (silence !== null) return 'The agent answers nobody now. Switch it on first';
  const chats = `${conversationIds.length} ${conversationIds.length === 1 ? 'chat' : 'chats'}`;
  const done = action === 'answer' ? `The agent answers ${chats}` : `People have ${chats}`;
  return moreOwed ? `${done}. More are waiting` : done;
};

const GIVEN_BACK = {
  paused: 'Given back. The agent is off, so nobody answers',
  human: 'Given back. People answer in all conversations, so the agent stays silent',
} as const;

/** What is said after a chat was given back. */
export const givenBackText = (silence: AgentState['silence']): string =>
  silence === null ? 'The agent answers again' : GIVEN_BACK[silence];

/** Names the writer of a chat's last message, unless the contact wrote it. */
export const speakerOf = (message: Pick<Said, 'fromMe' | 'origin'> | null): string => {
  if (message === null || !message.fromMe) return '';
  return message.origin === null ? 'You: ' : SPEAKERS[message.origin];
};
type Said = NonNullable<ChatSummary['lastMessage']>;

/** The line of a chat in the list: the words of its last message, or else what that is. */
export const lineOf = (message: Pick<Said, 'body' | 'kind' | 'contentState'> | null): string => {
  if (message === null) return 'No messages yet';
  const { body, kind = 'text', contentState } = message;
  if (body !== '') return body;
  if (kind === 'other' && contentState === undefined) return 'A message that only the phone shows';
  return wordlessText({ kind, ...(contentState === undefined ? {} : { contentState }) }) ?? 'A message without words';
};

/** People of the own side are "You", wherever they wrote. */
const SPEAKERS: Readonly<Record<NonNullable<Said['origin']>, string>> = {
  ai: 'Agent: ',
  automation: 'Automation: ',
  api: 'Program: ',
  person: 'You: ',
  phone: 'You: ',
  passthrough: 'Program: ',
  history: 'You: ',
  network: 'You: ',
};

export const STATUSES: Readonly<Record<Message['status'], { word: string; tone: Tone }>> = {
  scheduled: { word: 'Scheduled', tone: 'info' },
  queued: { word: 'Waiting', tone: 'info' },
  sending: { word: 'Sending', tone: 'info' },
  sent: { word: 'Sent', tone: 'quiet' },
  delivered: { word: 'Delivered', tone: 'quiet' },
  read: { word: 'Read', tone: 'good' },
  played: { word: 'Played', tone: 'good' },
  failed: { word: 'Not sent', tone: 'bad' },
  uncertain: { word: 'Uncertain', tone: 'warn' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
  received: { word: 'Received', tone: 'quiet' },
};

/** The word beside a message. It is not known of one that is being matched whether the engine has sent it. */
export const stateOf = ({ status, matching }: Pick<Message, 'status' | 'matching'>): { word: string; tone: Tone } =>
  matching === true ? { word: 'Being matched', tone: 'info' } : STATUSES[status];

const AT_NETWORK: readonly Message['status'][] = ['received', 'sent', 'delivered', 'read', 'played'];

/** True for a message that an answer can quote: the network must have it. */
export const isQuotable = ({
  status,
  revokedAt,
  matching,
}: Pick<Message, 'status' | 'revokedAt' | 'matching'>): boolean =>
  AT_NETWORK.includes(status) && revokedAt === undefined && matching !== true;

/**
 * True if a reply gives its chat to the person `me`: it takes the chat from the agent, or nobody has it by name. A reply
 * itself names no assignee, and without one the chat is in nobody's list.
 */
export const becomesMine = ({
  isOfAgent,
  chat,
  sendAt,
  me,
}: {
  isOfAgent: boolean;
  chat: Pick<ChatSummary, 'mode' | 'assignedTo'> | undefined;
  sendAt: string | undefined;
  me: string;
}): boolean =>
  me !== '' && sendAt === undefined && (isOfAgent || (chat?.mode === 'human_takeover' && chat.assignedTo === null));

/** Says in plain words what the engine does with a message that is being matched. */
export const MATCHING_TEXT = 'The engine checks whether it has sent this message itself. Nothing reacts to it yet.';

/** What has become of an accepted message; null as long as it waits and its plan says more. */
export const becameText = (status: Message['status'] | undefined): string | null =>
  status === undefined || status === 'queued' || status === 'scheduled' ? null : STATUSES[status].word;

export const ORIGINS: Readonly<Record<Message['origin'], string>> = {
  network: '',
  api: 'By a program',
  person: 'By a person',
  ai: 'By the agent',
  phone: 'On the phone',
  history: '',
  passthrough: 'By a program',
  automation: 'By an automation',
};

type SilenceCode = NonNullable<Turn['silence']>['code'];

const SILENCES: Readonly<Record<SilenceCode, string>> = {
  paused: 'the agent is off',
  human: 'a person has the conversation',
  hours: 'it was outside working hours',
  automation: 'an automation waits for the answer to its question',
  opted_out: 'the customer wants no more messages',
  budget: 'a budget is used up',
  duplicate: 'the same text was answered just before',
  newer_message: 'a newer message arrived and is answered instead',
  group: 'it is a group',
  revoked: 'the message was deleted',
  stale: 'the message was too old',
  loop: 'the other side seems to be a program',
  agent_late: 'the engine was too slow',
  model_failed: 'no model answered',
  model_retry: 'no model answered, and the agent tries again',
  nothing_to_answer: 'nothing needed an answer',
  taken_over: 'a person took the conversation over',
  reply_refused: 'the rules left nothing of the reply',
  content_missing: 'the content has not arrived',
  nothing_said: 'nobody said anything in it',
  network_account: 'WhatsApp itself wrote it',
  unknown_address: 'the address is of an unknown kind',
};

/**
 * True for a silence that leaves a person waiting until someone acts. The rest was chosen, needs no answer, or ends by
 * itself: a newer message is answered, a model is asked again, an automation has asked, a person has just taken over.
 */
export const IS_TROUBLE: Readonly<Record<SilenceCode, boolean>> = {
  stale: true,
  agent_late: true,
  model_failed: true,
  budget: true,
  loop: true,
  content_missing: true,
  reply_refused: true,
  hours: true,
  opted_out: true,
  unknown_address: true,
  paused: false,
  human: false,
  group: false,
  taken_over: false,
  newer_message: false,
  model_retry: false,
  automation: false,
  duplicate: false,
  nothing_to_answer: false,
  nothing_said: false,
  network_account: false,
  revoked: false,
};

/** The badge of a chat whose person got no answer although one was written, or was due from the agent. */
export const troubleOf = ({
  lastMessage,
  lastMessageStatus,
  agentSilence,
  waitingSince,
}: Pick<ChatSummary, 'lastMessage' | 'lastMessageStatus' | 'agentSilence' | 'waitingSince'>): {
  word: string;
  tone: Tone;
  why: string;
} | null => {
  if (lastMessage?.fromMe === true && (lastMessageStatus === 'failed' || lastMessageStatus === 'uncertain'))
    return { ...STATUSES[lastMessageStatus], why: 'The last message. Open the conversation to see why.' };
  if (lastMessage?.fromMe === true && lastMessageStatus === 'cancelled' && waitingSince !== null)
    return { ...STATUSES.cancelled, tone: 'warn', why: 'The answer was cancelled, and the person waits.' };
  if (waitingSince === null || agentSilence === null || !IS_TROUBLE[agentSilence]) return null;
  return { word: 'No answer', tone: 'warn', why: `The agent said nothing: ${SILENCES[agentSilence]}` };
};

export const turnTitle = (turn: Turn): string => {
  if (turn.outcome === 'running') return 'The agent is thinking';
  if (turn.outcome === 'silence')
    return `The agent said nothing: ${turn.silence ? SILENCES[turn.silence.code] : 'no reason was given'}`;
  if (turn.outcome === 'handoff' && turn.silence?.code === 'agent_late')
    return 'The answer came too late: a person has to give it';
  if (turn.outcome === 'handoff') return 'The agent asked for a person';
  return turn.outcome === 'fallback' ? 'The agent sent its fallback message' : 'The agent answered';
};

const NOTES = {
  characters_removed: 'Invisible characters were removed',
  markdown_removed: 'Formatting was removed',
  link_removed: 'A link that is not allowed was removed',
  shortened: 'It was shortened',
  messages_left_out: 'Older messages did not fit into the prompt',
};

/** What the rules did to a reply. */
export const noteText = (note: string): string => wordOf(NOTES, note);

const CAUSES: Readonly<Record<Handover['cause'], string>> = {
  assign: 'Taken over',
  reply: 'Taken over by a reply',
  phone: 'Taken over by an answer on the phone',
  agent: 'Handed over to a person by the agent',
  agent_late: 'Owed to a person: the agent was too late, or its reply failed',
  model_failed: 'Handed over to a person because no model answered',
  release: 'Given back',
  auto_return: 'Returned to the agent automatically',
  merge: 'Merged with another conversation',
  unmerge: 'Separated from another conversation',
};

export const handoverTitle = ({ cause, assignedTo }: Handover): string =>
  assignedTo === null ? CAUSES[cause] : `${CAUSES[cause]}: ${assignedTo}`;

export const KINDS: Readonly<Partial<Record<Message['kind'], string>>> = {
  image: 'Picture',
  video: 'Video',
  audio: 'Voice message',
  document: 'File',
  sticker: 'Sticker',
  location: 'Location',
  contact: 'Contact card',
  poll: 'Poll',
  call: 'Call',
  notice: 'Notice',
  other: 'This message cannot be shown here. Open it on the phone.',
};

const CONTENT_STATES: Readonly<Record<NonNullable<Message['contentState']>, string>> = {
  waiting: 'Its content has not arrived yet.',
  missing: 'Its content did not arrive. It appears here if it still comes.',
};

/** Names the kind of a message that has no words. */
export const wordlessText = ({ kind, contentState }: Pick<Message, 'kind' | 'contentState'>): string | undefined =>
  contentState === undefined ? KINDS[kind] : CONTENT_STATES[contentState];

export const MEDIA_ERRORS: Readonly<Record<NonNullable<NonNullable<Message['media']>['error']>, string>> = {
  media_pending: 'The file has not arrived yet.',
  media_unavailable: 'The network no longer provides the file.',
  media_storage_full: 'There is no space left for files. Ask your operator for more.',
  media_too_large: 'The file is too large to be stored.',
  media_expired: 'The file was deleted: files are only kept for a limited time.',
  media_revoked: 'The sender deleted the file.',
  media_erased: 'The person’s data was erased.',
};

const RULES: Readonly<Record<Plan['rule'], string>> = {
  now: 'now',
  scheduled: 'at the time you chose',
  queue: 'after an earlier message of this conversation',
  pace: 'when the pace of the account allows it',
  first_contacts: 'tomorrow: the account has reached today’s limit of new people',
  quiet_hours: 'after the quiet hours',
  restricted: 'when the network allows the account to write again',
  session_not_working: 'when the account is connected again',
  suspended: 'when the dashboard is active again',
  backend_unavailable: 'when the messaging backend responds again',
};

export const planText = (rule: Plan['rule']): string => wordOf(RULES, rule);
