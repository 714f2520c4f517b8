import type { NetworkContent, Notice } from '../../../../domain/network/message-content.ts';
import type { NetworkKind } from '../../../../domain/network/network-event.ts';
import { contentName, lackOfContent } from '../message-kind.ts';
import type { RawMessage } from '../raw-message.ts';
import { hasFact } from '../spelling/read.ts';
import { contactsOf } from './contacts.ts';
import { locationOf } from './location.ts';
import { mentionsOf } from './mentions.ts';
import { pollOf } from './poll.ts';
import { isViewOnce } from './view-once.ts';

/**
 * Reads what a message holds beside its words and its file; null where that is nothing. Live events and the history
 * come this way alike, except that only an event waits for content that is still to come (`isLive`).
 */
export function contentOf(raw: RawMessage, kind: NetworkKind, isLive: boolean): NetworkContent | null {
  const lack = lackOfContent(raw);
  const mentions = mentionsOf(raw);
  const content: NetworkContent = {
    ...ofKind(raw, kind),
    ...(isViewOnce(raw) ? { viewOnce: true } : {}),
    ...(hasFact(raw, 'forwarded') ? { forwarded: true } : {}),
    ...(hasFact(raw, 'ephemeral') ? { ephemeral: true } : {}),
    ...(hasFact(raw, 'broadcast') ? { broadcast: true } : {}),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(lack !== null && isLive ? { contentState: 'waiting' } : {}),
    ...(lack === 'stub' && !isLive ? { contentState: 'missing' } : {}),
  };
  return Object.keys(content).length === 0 ? null : content;
}

function ofKind(raw: RawMessage, kind: NetworkKind): NetworkContent {
  switch (kind) {
    case 'location': {
      const location = locationOf(raw);
      return location === null ? {} : { location };
    }
    case 'contact':
      return { contacts: contactsOf(raw) };
    case 'poll':
      return { poll: pollOf(raw) };
    case 'notice':
      return { notice: { type: noticeType(contentName(raw) ?? STUBS[stubOf(raw)] ?? null) } };
    case 'other': {
      const name = contentName(raw);
      return name === null || !NAME.test(name) || lackOfContent(raw) !== null ? {} : { unsupported: name };
    }
    default:
      return {};
  }
}

/** The network's names are words of a program; anything else may be what somebody wrote. */
const NAME = /^\w{1,64}$/;

const NOTICE_TYPES: Readonly<Record<string, Notice['type']>> = {
  pinInChatMessage: 'message_pinned',
  call: 'call_log',
  callLogMesssage: 'call_log',
  bcallMessage: 'call_log',
  pinned_message: 'message_pinned',
  gp2: 'group',
  call_log: 'call_log',
  e2e_notification: 'encryption',
};

/** The network's numbers of missed calls (WebMessageInfo.StubType); NOWEB tells some stubs by name. */
const STUBS: Readonly<Record<string, string>> = {
  '40': 'call_log',
  '41': 'call_log',
  '45': 'call_log',
  '46': 'call_log',
  CALL_MISSED_VOICE: 'call_log',
  CALL_MISSED_VIDEO: 'call_log',
  CALL_MISSED_GROUP_VOICE: 'call_log',
  CALL_MISSED_GROUP_VIDEO: 'call_log',
};

function stubOf(raw: RawMessage): string {
  const stub = raw._data?.messageStubType;
  return typeof stub === 'string' || typeof stub === 'number' ? String(stub) : '';
}

function noticeType(name: string | null): Notice['type'] {
  return (name !== null && Object.hasOwn(NOTICE_TYPES, name) ? NOTICE_TYPES[name] : undefined) ?? 'system';
}
