import { CALL_STATUSES } from '../../../domain/network/message-content.ts';
import type { CallStatus } from '../../../domain/network/message-content.ts';
import { seeded } from '../seeded.ts';

/** The expected rows at the end. */
export interface Expected {
  messages: {
    networkId: string;
    body: string;
    revokedBy: string | null;
    call: string;
    versions: string[];
    responses: Record<string, string[] | null>;
  }[];
  chats: { chatId: string; unread: number; line: string }[];
  /** The keys of changes of messages that never come. */
  parked: string[];
}

/** The events of an account, as the backend reports them. */
export interface Script {
  bodies: string[];
  /** The bodies that tell of messages, in the order in which those were written. */
  said: string[];
  expected: Expected;
}

const PEOPLE = ['15557200001@c.us', '15557200002@c.us'];
const GROUP = '120363000000000777@g.us';
const MEMBERS = ['15557200003@c.us', '15557200004@c.us'];
const WORDS = ['five', 'fifty', 'none', 'more'];
const EMOJI = ['👍', '❤️', ''];
const OPTIONS = ['Mon', 'Tue', 'Wed'];
/** Long ago, so that the time of a message does not depend on when it is applied. */
const BEGAN_AT = 1_795_000_000;

interface Said {
  networkId: string;
  chatId: string;
  participant: string | null;
  body: string;
  second: number;
  isPoll: boolean;
  /** The owner has written it on the phone. */
  fromMe: boolean;
}

interface Made {
  at: number;
  toldAt: number;
}
interface Edit extends Made {
  id: string;
  body: string;
}
interface Response extends Made {
  value: string[] | null;
}

const later = (one: Made, other: Made): number => one.at - other.at || one.toldAt - other.toldAt;

/** Makes a script of about thirty events, and works out what they must leave. */
export function aScript(seed: number): Script {
  const random = seeded(seed);
  const any = <T>(choices: readonly T[]): T => {
    const chosen = choices[Math.floor(random() * choices.length)];
    if (chosen === undefined) throw new Error('Nothing to choose from.');
    return chosen;
  };
  const bodies: string[] = [];
  let told = 0;
  let nextId = 0;
  const id = (prefix: string): string => `${prefix}${(nextId += 1)}`;

  /** Seconds are few, so that some things happen in the same one. */
  const second = (): number => BEGAN_AT + Math.floor(random() * 6);
  function tell(event: string, payload: object): number {
    const timestamp = (BEGAN_AT + 60) * 1_000 + (told += 1);
    bodies.push(
      JSON.stringify({
        id: `evt_${seed}_${told}`,
        timestamp,
        event,
        session: `kinds-${seed}`,
        engine: 'NOWEB',
        payload,
      }),
    );
    return timestamp;
  }
  const serialized = (chatId: string, networkId: string, participant: string | null, fromMe = false): string =>
    [String(fromMe), chatId, networkId, ...(participant === null ? [] : [participant])].join('_');

  const said: Said[] = Array.from({ length: 7 }, (_, n) => {
    const participant = random() < 0.4 ? any(MEMBERS) : null;
    const chatId = participant === null ? any(PEOPLE) : GROUP;
    const isPoll = n === 0;
    const fromMe = !isPoll && random() < 0.2;
    // Each message has a second of its own: the chat's line is that of the last one.
    const one: Said = {
      networkId: id('IN'),
      chatId,
      participant,
      body: isPoll ? 'Which day?' : any(WORDS),
      second: BEGAN_AT + n,
      isPoll,
      fromMe,
    };
    tell('message.any', {
      id: serialized(chatId, one.networkId, fromMe ? null : participant, fromMe),
      timestamp: one.second,
      from: chatId,
      participant: fromMe ? null : participant,
      fromMe,
      source: 'app',
      body: isPoll ? null : one.body,
      _data: {
        message: isPoll
          ? { pollCreationMessage: { name: one.body, options: OPTIONS.map((optionName) => ({ optionName })) } }
          : { conversation: one.body },
      },
    });
    return one;
  });
  const saidBodies = [...bodies];
  const inbound = said.filter(({ fromMe }) => !fromMe);

  const edits = new Map<string, Edit[]>();
  const responses = new Map<string, Map<string, Response>>();
  const revoked = new Map<string, string>();
  const calls = new Map<string, CallStatus>();
  const parked = new Set<string>();
  const readUpTo = new Map<string, number>();

  function edit(): void {
    const one = any(inbound.filter(({ isPoll }) => !isPoll));
    const edited: Edit = { id: id('ED'), body: any(WORDS), at: second() * 1_000, toldAt: 0 };
    // Now and then somebody tries it who may not.
    const stranger = one.participant === null ? { chatId: '15557299999@c.us', participant: null } : null;
    const foreign = random() < 0.2;
    const by = foreign ? (stranger ?? { chatId: GROUP, participant: '15557299999@c.us' }) : one;
    const known = random() > 0.1;
    const target = known ? one.networkId : id('GONE');
    edited.toldAt = tell('message.edited', {
      id: serialized(by.chatId, edited.id, by.participant),
      timestamp: edited.at / 1_000,
      participant: by.participant,
      body: edited.body,
      editedMessageId: target,
    });
    if (!known) parked.add(`edited:${target}:${edited.id}`);
    else if (!foreign) edits.set(target, [...(edits.get(target) ?? []), edited]);
  }

  function respond(kind: 'reaction' | 'vote'): void {
    const one = kind === 'vote' ? any(said.filter(({ isPoll }) => isPoll)) : any(inbound);
    const fromMe = random() < 0.3;
    const participant = one.participant === null ? null : any(MEMBERS);
    const at = second();
    const ownId = serialized(one.chatId, id('RE'), fromMe ? null : participant, fromMe);
    const target = serialized(one.chatId, one.networkId, one.participant);
    const emoji = any(EMOJI);
    const options = OPTIONS.filter(() => random() < 0.5);
    const isFailed = random() < 0.1;
    const by = { id: ownId, timestamp: at, fromMe, participant };
    const toldAt =
      kind === 'reaction'
        ? tell('message.reaction', { ...by, reaction: { text: emoji, messageId: target } })
        : tell(isFailed ? 'poll.vote.failed' : 'poll.vote', {
            vote: { ...by, selectedOptions: isFailed ? [] : options },
            poll: { id: target },
          });
    const value = kind === 'vote' ? (isFailed ? null : options) : emoji === '' ? [] : [emoji];
    const who = `${kind} ${fromMe ? 'account' : (participant ?? 'contact')}`;
    const before = responses.get(one.networkId) ?? new Map<string, Response>();
    const known = before.get(who);
    const response = { at: at * 1_000, toldAt, value };
    if (!known || later(response, known) > 0) before.set(who, response);
    responses.set(one.networkId, before);
  }

  /** The owner reads a direct chat on the phone, up to one of its messages. */
  function read(): void {
    const direct = inbound.filter(({ participant }) => participant === null);
    if (direct.length === 0) return;
    const one = any(direct);
    tell('message.ack', { id: serialized(one.chatId, one.networkId, null), from: one.chatId, ack: 3, ackName: 'READ' });
    readUpTo.set(one.chatId, Math.max(readUpTo.get(one.chatId) ?? 0, one.second));
  }

  function revoke(): void {
    const one = any(inbound);
    tell('message.revoked', {
      after: {
        id: serialized(one.chatId, id('RV'), one.participant),
        timestamp: second(),
        participant: one.participant,
      },
      before: null,
      revokedMessageId: one.networkId,
    });
    revoked.set(one.networkId, 'sender');
  }

  function call(): void {
    const callId = any(['CALL1', 'CALL2']);
    const status = any(CALL_STATUSES);
    tell(`call.${status}`, { id: callId, from: PEOPLE[0], timestamp: BEGAN_AT - 5, isVideo: false, isGroup: false });
    const before = calls.get(callId) ?? status;
    calls.set(callId, CALL_STATUSES.indexOf(before) > CALL_STATUSES.indexOf(status) ? before : status);
  }

  function group(): void {
    if (random() < 0.5) {
      tell('group.v2.update', { group: { id: GROUP, subject: any(WORDS) } });
      return;
    }
    const participants = [{ id: any(MEMBERS), role: 'participant' }];
    tell('group.v2.participants', { type: any(['join', 'leave', 'promote']), group: { id: GROUP }, participants });
  }

  const deeds = [
    edit,
    edit,
    edit,
    revoke,
    read,
    call,
    group,
    () => respond('reaction'),
    () => respond('reaction'),
    () => respond('vote'),
  ];
  for (let n = 0; n < 22; n += 1) any(deeds)();

  const editedBody = ({ networkId, body }: Said): string =>
    (edits.get(networkId) ?? []).toSorted(compareEdits).at(-1)?.body ?? body;
  const messages = [
    ...said.map((one) => ({
      networkId: one.networkId,
      body: editedBody(one),
      revokedBy: revoked.get(one.networkId) ?? null,
      call: '',
      versions: edits.has(one.networkId)
        ? [one.body, ...(edits.get(one.networkId) ?? []).toSorted(compareEdits).map(({ body }) => body)]
        : [],
      responses: Object.fromEntries(
        [...(responses.get(one.networkId) ?? [])].map(([who, { value }]) => [who, value] as const),
      ),
    })),
    ...[...calls].map(([callId, status]) => ({
      networkId: `call:${callId}`,
      body: '',
      revokedBy: null,
      call: status,
      versions: [],
      responses: {},
    })),
  ].toSorted((a, b) => (a.networkId < b.networkId ? -1 : 1));
  const hasGroup = bodies.some((body) => body.includes('group.v2'));
  const chatIds = new Set([
    ...said.map(({ chatId }) => chatId),
    ...(calls.size > 0 ? [PEOPLE[0] ?? ''] : []),
    ...(hasGroup ? [GROUP] : []),
  ]);
  const chats = [...chatIds].toSorted().map((chatId) => {
    const own = said.filter((one) => one.chatId === chatId);
    const last = own.at(-1);
    const written = own.filter(({ fromMe }) => fromMe).map((one) => one.second);
    const seen = Math.max(readUpTo.get(chatId) ?? 0, ...written);
    return {
      chatId,
      unread: own.filter((one) => !one.fromMe && one.second > seen).length,
      line: last === undefined || revoked.has(last.networkId) ? '' : editedBody(last),
    };
  });
  return { bodies, said: saidBodies, expected: { messages, chats, parked: [...parked].toSorted() } };
}

function compareEdits(one: Edit, other: Edit): number {
  return later(one, other) || (one.id < other.id ? -1 : 1);
}
