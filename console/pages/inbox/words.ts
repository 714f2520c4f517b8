import type { AgentState, ChatSummary, Handover, Message, Turn } from '../../../sdk/typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';

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

export const STATUSES: Readonly<Record<Message['status'], { word: string; tone: Tone }>> = {
  scheduled: { word: 'Sent later', tone: 'info' },
  queued: { word: 'Waits', tone: 'info' },
  sending: { word: 'Being sent', tone: 'info' },
  sent: { word: 'Sent', tone: 'quiet' },
  delivered: { word: 'Delivered', tone: 'quiet' },
  read: { word: 'Read', tone: 'good' },
  played: { word: 'Played', tone: 'good' },
  failed: { word: 'Not sent', tone: 'bad' },
  uncertain: { word: 'Nobody knows whether it was sent', tone: 'warn' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
  received: { word: 'Received', tone: 'quiet' },
};

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

const SILENCES: Readonly<Record<NonNullable<Turn['silence']>['code'], string>> = {
  paused: 'the agent is switched off',
  human: 'a person has the conversation',
  hours: 'it was outside the working hours',
  opted_out: 'the customer wants no more messages',
  budget: 'a budget is used up',
  duplicate: 'the same text was answered just before',
  newer_message: 'a newer message came and is answered instead',
  group: 'it is a group',
  revoked: 'the message was deleted',
  stale: 'the message was too old',
  loop: 'a program seems to be on the other side',
  model_failed: 'no model answered',
  model_retry: 'no model answered; it is asked again',
  nothing_to_answer: 'there was nothing to answer',
  taken_over: 'a person took the conversation over',
  reply_refused: 'the reply broke a rule',
};

export const turnTitle = (turn: Turn): string => {
  if (turn.outcome === 'running') return 'The agent thinks';
  if (turn.outcome === 'silence')
    return `The agent said nothing: ${turn.silence ? SILENCES[turn.silence.code] : 'no reason'}`;
  if (turn.outcome === 'handoff') return 'The agent asked for a person';
  return 'The agent answered';
};

const CAUSES: Readonly<Record<Handover['cause'], string>> = {
  assign: 'Taken over',
  reply: 'Taken over by a reply',
  phone: 'Taken over by an answer on the phone',
  agent: 'Handed to a person by the agent',
  model_failed: 'Handed to a person, because no model answered',
  release: 'Given back to the agent',
  auto_return: 'Back to the agent after the time without a person',
  merge: 'Two conversations became one',
  unmerge: 'Two conversations were taken apart',
};

export const handoverTitle = ({ cause, assignedTo }: Handover): string =>
  assignedTo === null ? CAUSES[cause] : `${CAUSES[cause]}: ${assignedTo}`;

/** What a message is, where it has no words. */
export const KINDS: Readonly<Partial<Record<Message['kind'], string>>> = {
  image: 'Picture',
  video: 'Video',
  audio: 'Voice message',
  document: 'File',
  sticker: 'Sticker',
  location: 'Place',
  contact: 'Contact card',
  poll: 'Poll',
  call: 'Call',
  notice: 'Notice',
  other: 'Something that cannot be shown here. Look at the phone.',
};

export const MEDIA_ERRORS: Readonly<Record<NonNullable<NonNullable<Message['media']>['error']>, string>> = {
  media_pending: 'The file is still on its way.',
  media_unavailable: 'The network does not give the file any more.',
  media_too_large: 'The file is too large to be kept.',
  media_expired: 'The file is older than files are kept.',
  media_revoked: 'The sender has deleted it.',
  media_erased: 'The person’s data was erased.',
};

const RULES: Readonly<Record<string, string>> = {
  now: 'at once',
  scheduled: 'at the time you chose',
  queue: 'behind another message of this conversation',
  pace: 'when the pace of the account allows',
  first_contacts: 'tomorrow: enough new conversations were opened today',
  quiet_hours: 'after the quiet hours',
  restricted: 'when the network lets the account write again',
  session_not_working: 'when the account is connected again',
  suspended: 'when the dashboard is active again',
};

export const planText = (rule: string): string => RULES[rule] ?? rule;
