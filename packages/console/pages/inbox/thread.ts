import type { Handover, Message, Turn } from '../../../typescript/src/index.ts';
import { dayOf } from '../../parts/times.ts';

export type Entry =
  | { kind: 'day'; key: string; at: Date }
  | { kind: 'message'; key: string; message: Message; isFirst: boolean }
  | { kind: 'turn'; key: string; turn: Turn }
  | { kind: 'handover'; key: string; handover: Handover };

interface Placed {
  at: number;
  /** Breaks ties within a moment: a turn comes before its message. */
  order: number;
  entry: Entry;
}

export interface Story {
  /** Newest first, as the engine lists them. */
  messages: readonly Message[];
  turns: readonly Turn[];
  handovers: readonly Handover[];
  /** True where older messages are not loaded: what is older than those that are is left out. */
  hasOlder: boolean;
  /** The same for newer messages, around one that was found. */
  hasNewer: boolean;
  /** The days are those of this time zone; without one, of the browser's. */
  zone?: string | undefined;
}

/**
 * Returns the time of a turn: right before its own reply, so that the reason is visible. A silence has the time of its
 * decision.
 */
const timeOf = (turn: Turn, messages: ReadonlyMap<string, number>): number => {
  const said = turn.messageIds.flatMap((id) => messages.get(id) ?? []);
  return said.length > 0 ? Math.min(...said) : Date.parse(turn.endedAt ?? turn.begunAt);
};

/** A conversation from the oldest to the newest: messages, the agent's turns, changes of hands, and the days between them. */
export const threadOf = ({ messages, turns, handovers, hasOlder, hasNewer, zone }: Story): Entry[] => {
  const oldestFirst = messages.toReversed();
  const isFirst = ({ fromMe, from }: Message, place: number): boolean => {
    const before = oldestFirst[place - 1];
    return before === undefined || before.notice !== undefined || before.fromMe !== fromMe || before.from !== from;
  };
  const times = new Map(oldestFirst.map((message) => [message.messageId, message.timestamp * 1000]));
  const placed: Placed[] = [
    ...oldestFirst.map((message, place) => ({
      at: message.timestamp * 1000,
      order: 1,
      entry: { kind: 'message' as const, key: message.messageId, message, isFirst: isFirst(message, place) },
    })),
    ...turns.map((turn) => ({
      at: timeOf(turn, times),
      order: 0,
      entry: { kind: 'turn' as const, key: turn.id, turn },
    })),
    ...handovers.map((handover) => ({
      at: Date.parse(handover.at),
      order: 2,
      entry: { kind: 'handover' as const, key: `epoch-${handover.epoch}`, handover },
    })),
  ];
  const oldest = hasOlder ? (oldestFirst[0]?.timestamp ?? 0) * 1000 : 0;
  const newest = hasNewer ? (messages[0]?.timestamp ?? Infinity) * 1000 : Infinity;
  // The sort is stable: messages of one second stay in the engine's order.
  const sorted = placed
    .filter(({ at }) => at >= oldest && at <= newest)
    .toSorted((one, other) => one.at - other.at || one.order - other.order);
  return withDays(sorted, zone);
};

const withDays = (placed: readonly Placed[], zone: string | undefined): Entry[] => {
  let day = '';
  return placed.flatMap(({ at, entry }) => {
    const date = new Date(at);
    const isSame = dayOf(date, zone) === day;
    day = dayOf(date, zone);
    return isSame ? [entry] : [{ kind: 'day' as const, key: `day ${day}`, at: date }, entry];
  });
};
