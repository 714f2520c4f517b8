import type { Handover, Message, Turn } from '../../../typescript/src/index.ts';
import { dayOf } from '../../parts/times.ts';

/** Something beside the messages, at the time of its place among them. */
type Beside = { at: number } & ({ turn: Turn } | { handover: Handover });

/** A line of a conversation. Messages have no wrapper, because a thread may have 100,000 of them. */
export type Entry = Message | Beside;

export interface Story {
  /** Newest first, as the engine lists them. */
  messages: readonly Message[];
  turns: readonly Turn[];
  handovers: readonly Handover[];
  /** True where older messages are not loaded: what is older than those that are is left out. */
  hasOlder: boolean;
  /** The same for newer messages, around one that was found. */
  hasNewer: boolean;
}

const timeOf = ({ timestamp }: Message): number => timestamp * 1_000;

export const keyOf = (entry: Entry): string => {
  if ('turn' in entry) return entry.turn.id;
  return 'handover' in entry ? `epoch-${entry.handover.epoch}` : entry.messageId;
};

/** A turn is placed before its own reply, so that the reason is visible. A silence has the time of its decision. */
const placesOf = (turns: readonly Turn[], messages: readonly Message[]): Beside[] => {
  const wanted = new Set(turns.flatMap(({ messageIds }) => messageIds));
  const times = new Map(
    wanted.size === 0
      ? []
      : messages
          .filter(({ messageId }) => wanted.has(messageId))
          .map((message) => [message.messageId, timeOf(message)] as const),
  );
  return turns.map((turn) => {
    const said = turn.messageIds.flatMap((id) => times.get(id) ?? []);
    const at = said.length > 0 ? Math.min(...said) : Date.parse(turn.endedAt ?? turn.begunAt);
    return { at, turn };
  });
};

/** A conversation from the oldest to the newest: messages, the agent's turns, and changes of hands. */
export const threadOf = ({ messages, turns, handovers, hasOlder, hasNewer }: Story): Entry[] => {
  const [newest] = messages;
  const last = messages.at(-1);
  const from = hasOlder && last ? timeOf(last) : 0;
  const to = hasNewer && newest ? timeOf(newest) : Infinity;
  const beside: Beside[] = [
    ...placesOf(turns, messages),
    ...handovers.map((handover) => ({ at: Date.parse(handover.at), handover })),
  ]
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((one, other) => one.at - other.at || Number('turn' in other) - Number('turn' in one));
  const entries: Entry[] = [];
  let next = 0;
  for (const message of messages.toReversed()) {
    const at = timeOf(message);
    // At the same moment, a turn is before its message, and a change of hands after it.
    for (let one = beside[next]; one && (one.at < at || (one.at === at && 'turn' in one)); one = beside[next]) {
      entries.push(one);
      next += 1;
    }
    entries.push(message);
  }
  return [...entries, ...beside.slice(next)];
};

const momentOf = (entry: Entry): Date => new Date('at' in entry ? entry.at : timeOf(entry));

/**
 * The time of an entry that begins a day of this time zone, or of the browser's; else undefined. Only the entries in
 * sight are asked: a zone's calendar is slow.
 */
export const dayAt = (entries: readonly Entry[], index: number, zone?: string): Date | undefined => {
  const [entry, before] = [entries[index], entries[index - 1]];
  if (entry === undefined) return undefined;
  const at = momentOf(entry);
  return before !== undefined && dayOf(momentOf(before), zone) === dayOf(at, zone) ? undefined : at;
};

/** True for a message whose author has not written the message before it. */
export const isFirstAt = (entries: readonly Entry[], index: number): boolean => {
  const entry = entries[index];
  let place = index - 1;
  while (place >= 0 && 'at' in (entries[place] ?? {})) place -= 1;
  const before = entries[place];
  if (entry === undefined || before === undefined || 'at' in entry || 'at' in before) return true;
  return before.notice !== undefined || before.fromMe !== entry.fromMe || before.from !== entry.from;
};
