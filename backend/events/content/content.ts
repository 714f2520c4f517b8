import type { NetworkContent, Notice } from '../../../domain/network/message-content.ts';
import type { NetworkKind } from '../../../domain/network/network-event.ts';
import { contentName } from '../message-kind.ts';
import type { RawMessage } from '../raw-message.ts';
import { contactsOf } from './contacts.ts';
import { locationOf } from './location.ts';
import { pollOf } from './poll.ts';
import { isViewOnce } from './view-once.ts';

/**
 * Reads what a message holds beside its words and its file; null where that is nothing. Live events and the history
 * come this way alike.
 */
export function contentOf(raw: RawMessage, kind: NetworkKind): NetworkContent | null {
  const content = { ...ofKind(raw, kind), ...(isViewOnce(raw) ? { viewOnce: true as const } : {}) };
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
      return { notice: { type: noticeType(contentName(raw)) } };
    case 'other': {
      const name = contentName(raw);
      return name === null || !NAME.test(name) ? {} : { unsupported: name };
    }
    default:
      return {};
  }
}

/** The network's names are words of a program; anything else may be what somebody wrote. */
const NAME = /^\w{1,64}$/;

const NOTICE_TYPES: Readonly<Record<string, Notice['type']>> = {
  pinInChatMessage: 'message_pinned',
  pinned_message: 'message_pinned',
  gp2: 'group',
  call_log: 'call_log',
  e2e_notification: 'encryption',
};

function noticeType(name: string | null): Notice['type'] {
  return (name !== null && Object.hasOwn(NOTICE_TYPES, name) ? NOTICE_TYPES[name] : undefined) ?? 'system';
}
