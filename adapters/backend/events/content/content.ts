import { z } from 'zod';
import type {
  NetworkContent,
  Notice,
  ContactCard,
  Location,
  Poll,
} from '../../../../domain/network/message-content.ts';
import type { NetworkKind } from '../../../../domain/network/network-event.ts';
import { contentName, lackOfContent } from '../message-kind.ts';
import type { RawMessage } from '../raw-message.ts';
import { hasFact, valuesOf } from '../spelling/read.ts';
import { isViewOnce } from './view-once.ts';
import { contentIn } from './inner.ts';
import { Text, Flag, Numeric, Address, Words } from '../raw.ts';
import { readVcard } from './vcard.ts';
import { chatKind } from '../../../../domain/network/chat-id.ts';
import { addressOf } from '../message-id.ts';

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

const Card = z.object({ vcard: Text });
const Cards = z.object({ contacts: z.array(Card) });
const Vcards = z.array(z.unknown()).catch([]);

/** A message carries up to so many cards on the network. */
const MAX_CARDS = 257;

function contactsOf(raw: RawMessage): ContactCard[] {
  const told = Vcards.parse(raw.vCards).map((vcard) => Text.parse(vcard));
  const content = contentIn(raw) ?? {};
  const one = Card.safeParse(content['contactMessage']).data;
  const several = Cards.safeParse(content['contactsArrayMessage']).data;
  const described = (one ? [one] : (several?.contacts ?? [])).map(({ vcard }) => vcard);
  return (told.length > 0 ? told : described)
    .slice(0, MAX_CARDS)
    .flatMap((vcard) => (vcard === null ? [] : [readVcard(vcard)]));
}

/** The place as the backend tells it; NOWEB writes the numbers as strings (`docs/extend/backend.md#events`, 8). */
const Told = z.object({
  live: Flag,
  latitude: Numeric,
  longitude: Numeric,
  name: Text,
  description: Text,
  address: Text,
  url: Text,
});

/** The place as the network describes it. */
const Described = z.object({ degreesLatitude: Numeric, degreesLongitude: Numeric, name: Text, address: Text });

/** Reads the place of a location; null where the engine does not say where it is. */
function locationOf(raw: RawMessage): Location | null {
  const told = Told.safeParse(raw.location).data;
  const content = contentIn(raw) ?? {};
  const isLive = (content['liveLocationMessage'] ?? null) !== null;
  const described = Described.safeParse(content[isLive ? 'liveLocationMessage' : 'locationMessage']).data;
  const latitude = described?.degreesLatitude ?? told?.latitude ?? null;
  const longitude = described?.degreesLongitude ?? told?.longitude ?? null;
  if (latitude === null || longitude === null) return null;
  return {
    latitude,
    longitude,
    name: told?.name ?? told?.description ?? described?.name ?? null,
    address: told?.address ?? described?.address ?? null,
    url: told?.url ?? null,
    live: isLive || told?.live === true,
  };
}

/** A group has no more members, and a report from anywhere must not fill a row. */
const MAX_PEOPLE = 1_024;

const Listed = z.array(z.unknown()).catch([]);

/** Reads the addresses of the people whom a message names with @. Odd entries are left out. */
function mentionsOf(raw: RawMessage): string[] {
  const people = valuesOf(raw, 'mentions')
    .flatMap((value) => Listed.parse(value).slice(0, MAX_PEOPLE))
    .map((person) => addressOf(Address.parse(person)))
    .filter((address) => address !== null)
    .filter((address) => ['phone', 'lid'].includes(chatKind(address)));
  return [...new Set(people)].slice(0, MAX_PEOPLE);
}

const DescribedPoll = z.object({
  name: Text,
  options: z.array(z.object({ optionName: Words })).catch([]),
  selectableOptionsCount: Numeric,
});
const POLL_CREATION = /^pollCreationMessage(V\d)?$/;

/** Reads what a poll asks. WEBJS has its own names; the others pass on what the network says. */
function pollOf(raw: RawMessage): Poll {
  const [, content] = Object.entries(contentIn(raw) ?? {}).find(([name]) => POLL_CREATION.test(name)) ?? [];
  const described = DescribedPoll.safeParse(content).data;
  const { pollName = null, pollOptions = null, pollSelectableOptionsCount = null } = raw._data ?? {};
  // One answer is what 1 says; 0 bounds nothing.
  const most = described?.selectableOptionsCount ?? pollSelectableOptionsCount ?? 0;
  return {
    name: Text.parse(described?.name ?? pollName ?? raw.body) ?? '',
    options: described?.options.map(({ optionName }) => optionName) ?? pollOptions?.map(({ name }) => name) ?? [],
    multipleAnswers: most !== 1,
  };
}
