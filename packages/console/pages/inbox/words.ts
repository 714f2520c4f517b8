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
import { t } from '../../parts/words/t.ts';

const MODES: Readonly<Record<ChatSummary['mode'], { word: string; tone: Tone }>> = {
  bot_active: { word: t('Agent answers'), tone: 'info' },
  human_takeover: { word: t('A person answers'), tone: 'warn' },
};

/** Names the answering side of a chat, which may be silent in all chats. */
export const answererOf = (
  { mode, assignedTo }: Pick<ChatSummary, 'mode' | 'assignedTo'>,
  silence: AgentState['silence'],
): { word: string; tone: Tone } => {
  if (assignedTo !== null) return { ...MODES[mode], word: t('{0} answers', assignedTo) };
  if (mode === 'human_takeover' || silence === 'human') return MODES.human_takeover;
  return silence === 'paused' ? { word: t('Nobody answers: the agent is off'), tone: 'warn' } : MODES.bot_active;
};

/**
 * Returns the text after a takeover: names this person without another name, and says that the agent falls silent only
 * if it has spoken.
 */
export const takenText = (
  { inFlight, assignee }: { inFlight: number; assignee?: string | undefined },
  silence: AgentState['silence'],
): string => {
  const taken = assignee === undefined ? t('You have the conversation') : t('{0} has the conversation', assignee);
  if (inFlight > 0) return t('{0}. {1} of the agent’s messages may still arrive', taken, inFlight);
  return silence === null ? t('{0}. The agent no longer answers here', taken) : taken;
};

/** The line that the page shows after it has settled waiting chats. */
export const settledText = ({ action, conversationIds, moreOwed, silence }: OwedSettled): string => {
  if (silence !== null) return t('The agent answers nobody now. Switch it on first');
  const chats = conversationIds.length === 1 ? t('1 chat') : t('{0} chats', conversationIds.length);
  const done = action === 'answer' ? t('The agent answers {0}', chats) : t('People have {0}', chats);
  return moreOwed ? t('{0}. More are waiting', done) : done;
};

const GIVEN_BACK = {
  paused: t('Given back. The agent is off, so nobody answers'),
  human: t('Given back. People answer in all conversations, so the agent stays silent'),
} as const;

/** Returns the text after a chat was given back. */
export const givenBackText = (silence: AgentState['silence']): string =>
  silence === null ? t('The agent answers again') : GIVEN_BACK[silence];

/** Names the writer of a chat's last message, unless the contact wrote it. */
export const speakerOf = (message: Pick<Said, 'fromMe' | 'origin'> | null): string => {
  if (message === null || !message.fromMe) return '';
  return message.origin === null ? t('You: ') : SPEAKERS[message.origin];
};
type Said = NonNullable<ChatSummary['lastMessage']>;

/** The line of a chat in the list: the words of its last message, or else what that is. */
export const lineOf = (message: Pick<Said, 'body' | 'kind' | 'contentState'> | null): string => {
  if (message === null) return t('No messages yet');
  const { body, kind = 'text', contentState } = message;
  if (body !== '') return body;
  if (kind === 'other' && contentState === undefined) return t('A message that only the phone shows');
  return (
    wordlessText({ kind, ...(contentState === undefined ? {} : { contentState }) }) ?? t('A message without words')
  );
};

/** People of the own side are "You", wherever they wrote. */
const SPEAKERS: Readonly<Record<NonNullable<Said['origin']>, string>> = {
  ai: t('Agent: '),
  automation: t('Automation: '),
  api: t('Program: '),
  person: t('You: '),
  phone: t('You: '),
  passthrough: t('Program: '),
  history: t('You: '),
  network: t('You: '),
};

export const STATUSES: Readonly<Record<Message['status'], { word: string; tone: Tone }>> = {
  scheduled: { word: t('Scheduled'), tone: 'info' },
  queued: { word: t('Waiting'), tone: 'info' },
  sending: { word: t('Sending'), tone: 'info' },
  sent: { word: t('Sent'), tone: 'quiet' },
  delivered: { word: t('Delivered'), tone: 'quiet' },
  read: { word: t('Read'), tone: 'good' },
  played: { word: t('Played'), tone: 'good' },
  failed: { word: t('Not sent'), tone: 'bad' },
  uncertain: { word: t('Uncertain'), tone: 'warn' },
  cancelled: { word: t('Cancelled'), tone: 'quiet' },
  received: { word: t('Received'), tone: 'quiet' },
};

/** The word beside a message. It is not known of one that is being matched whether the engine has sent it. */
export const stateOf = ({ status, matching }: Pick<Message, 'status' | 'matching'>): { word: string; tone: Tone } =>
  matching === true ? { word: t('Being matched'), tone: 'info' } : STATUSES[status];

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
export const MATCHING_TEXT = t('The engine checks whether it has sent this message itself. Nothing reacts to it yet.');

/** Returns the outcome of an accepted message. Null while it waits and its plan says more. */
export const becameText = (status: Message['status'] | undefined): string | null =>
  status === undefined || status === 'queued' || status === 'scheduled' ? null : STATUSES[status].word;

export const ORIGINS: Readonly<Record<Message['origin'], string>> = {
  network: '',
  api: t('By a program'),
  person: t('By a person'),
  ai: t('By the agent'),
  phone: t('On the phone'),
  history: '',
  passthrough: t('By a program'),
  automation: t('By an automation'),
};

type SilenceCode = NonNullable<Turn['silence']>['code'];

const SILENCES: Readonly<Record<SilenceCode, string>> = {
  paused: t('the agent is off'),
  human: t('a person has the conversation'),
  hours: t('it was outside working hours'),
  automation: t('an automation waits for the answer to its question'),
  opted_out: t('the customer wants no more messages'),
  budget: t('a budget is used up'),
  duplicate: t('the same text was answered just before'),
  newer_message: t('a newer message arrived and is answered instead'),
  group: t('it is a group'),
  revoked: t('the message was deleted'),
  stale: t('the message was too old'),
  loop: t('the other side seems to be a program'),
  agent_late: t('the engine was too slow'),
  model_failed: t('no model answered'),
  model_retry: t('no model answered, and the agent tries again'),
  nothing_to_answer: t('nothing needed an answer'),
  taken_over: t('a person took the conversation over'),
  reply_refused: t('the rules removed the whole reply'),
  content_missing: t('the content has not arrived'),
  nothing_said: t('nobody said anything in it'),
  network_account: t('WhatsApp itself wrote it'),
  unknown_address: t('the address is of an unknown kind'),
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
    return { ...STATUSES[lastMessageStatus], why: t('The last message. Open the conversation to see why.') };
  if (lastMessage?.fromMe === true && lastMessageStatus === 'cancelled' && waitingSince !== null)
    return { ...STATUSES.cancelled, tone: 'warn', why: t('The answer was cancelled, and the person waits.') };
  if (waitingSince === null || agentSilence === null || !IS_TROUBLE[agentSilence]) return null;
  return { word: t('No answer'), tone: 'warn', why: t('The agent said nothing: {0}', SILENCES[agentSilence]) };
};

export const turnTitle = (turn: Turn): string => {
  if (turn.outcome === 'running') return t('The agent is thinking');
  if (turn.outcome === 'silence')
    return t('The agent said nothing: {0}', turn.silence ? SILENCES[turn.silence.code] : t('no reason was given'));
  if (turn.outcome === 'handoff' && turn.silence?.code === 'agent_late')
    return t('The answer came too late: a person has to give it');
  if (turn.outcome === 'handoff') return t('The agent asked for a person');
  return turn.outcome === 'fallback' ? t('The agent sent its fallback message') : t('The agent answered');
};

const NOTES = {
  characters_removed: t('Invisible characters were removed'),
  markdown_removed: t('Formatting was removed'),
  link_removed: t('A link that is not allowed was removed'),
  shortened: t('It was shortened'),
  messages_left_out: t('Older messages did not fit into the prompt'),
};

/** Returns the rules' change of a reply, in words. */
export const noteText = (note: string): string => wordOf(NOTES, note);

const CAUSES: Readonly<Record<Handover['cause'], string>> = {
  assign: t('Taken over'),
  reply: t('Taken over by a reply'),
  phone: t('Taken over by an answer on the phone'),
  agent: t('Handed over to a person by the agent'),
  agent_late: t('Owed to a person: the agent was too late, or its reply failed'),
  model_failed: t('Handed over to a person because no model answered'),
  release: t('Given back'),
  auto_return: t('Returned to the agent automatically'),
  merge: t('Merged with another conversation'),
  unmerge: t('Separated from another conversation'),
};

export const handoverTitle = ({ cause, assignedTo }: Handover): string =>
  assignedTo === null ? CAUSES[cause] : `${CAUSES[cause]}: ${assignedTo}`;

export const KINDS: Readonly<Partial<Record<Message['kind'], string>>> = {
  image: t('Picture'),
  video: t('Video'),
  audio: t('Voice message'),
  document: t('File'),
  sticker: t('Sticker'),
  location: t('Location'),
  contact: t('Contact card'),
  poll: t('Poll'),
  call: t('Call'),
  notice: t('Notice'),
  other: t('This message cannot be shown here. Open it on the phone.'),
};

const CONTENT_STATES: Readonly<Record<NonNullable<Message['contentState']>, string>> = {
  waiting: t('Its content has not arrived yet.'),
  missing: t('Its content did not arrive. It appears here if it still comes.'),
};

/** Names the kind of a message that has no words. */
export const wordlessText = ({ kind, contentState }: Pick<Message, 'kind' | 'contentState'>): string | undefined =>
  contentState === undefined ? KINDS[kind] : CONTENT_STATES[contentState];

export const MEDIA_ERRORS: Readonly<Record<NonNullable<NonNullable<Message['media']>['error']>, string>> = {
  media_pending: t('The file has not arrived yet.'),
  media_unavailable: t('The network no longer provides the file.'),
  media_storage_full: t('There is no space left for files. Ask your operator for more.'),
  media_too_large: t('The file is too large to be stored.'),
  media_expired: t('The file was deleted: the engine keeps files for a limited time.'),
  media_revoked: t('The sender deleted the file.'),
  media_erased: t('The person’s data was erased.'),
};

const RULES: Readonly<Record<Plan['rule'], string>> = {
  now: t('now'),
  scheduled: t('at the time you chose'),
  queue: t('after an earlier message of this conversation'),
  pace: t('when the pace of the account allows it'),
  first_contacts: t('tomorrow: the account has reached today’s limit of new people'),
  quiet_hours: t('after the quiet hours'),
  restricted: t('when the network allows the account to write again'),
  session_not_working: t('when the account is connected again'),
  suspended: t('when the dashboard is active again'),
  backend_unavailable: t('when the messaging backend responds again'),
};

export const planText = (rule: Plan['rule']): string => wordOf(RULES, rule);
