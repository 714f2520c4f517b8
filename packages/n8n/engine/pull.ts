import { remember } from './seen.ts';

/** A puller's state between its requests, and while n8n is down. */
export interface PullState {
  /** The position of the next read; missing before the first page. */
  cursor?: string;
  /** The start without a cursor: all kept events, or those since this time. */
  since?: string;
  /** The events that it has handed over lately. */
  seen?: string[];
  /** When the last of them happened. */
  lastAt?: string;
}

export interface PulledEvent {
  id: string;
  type: string;
  createdAt: string;
  body: string;
}

export interface Page {
  events: PulledEvent[];
  nextCursor: string;
}

/** The engine holds a request this long while nothing is new. */
const WAIT_SECONDS = 20;
const PAGE = 50;
const HOUR_MS = 3_600_000;

export function pullQuery({ cursor, since }: PullState, types: readonly string[]): Record<string, string | number> {
  const from = cursor ?? 'start';
  // The engine takes one type or all.
  const kinds = types.length === 1 ? { type: String(types[0]) } : {};
  const begins = cursor === undefined && since !== undefined ? { since } : {};
  return { after: from, limit: PAGE, wait: cursor === undefined ? 0 : WAIT_SECONDS, ...begins, ...kinds };
}

/** The events of the page that are to be handed over: of these types, and not handed over before. */
export const unseen = ({ events }: Page, { seen = [] }: PullState, types: readonly string[]): PulledEvent[] =>
  events.filter(({ id, type }) => types.includes(type) && !seen.includes(id));

/** The state after an event was handed over. The cursor stays: what comes behind the event is not handed over yet. */
export function afterEvent(state: PullState, { id, createdAt }: PulledEvent): PullState {
  return { ...state, seen: remember(state.seen ?? [], id), lastAt: createdAt };
}

export function afterPage(state: PullState, { nextCursor }: Page): PullState {
  return { ...handedOver(state), cursor: nextCursor };
}

/** Returns the state that every new position keeps. */
function handedOver({ seen, lastAt }: PullState): PullState {
  return { ...(seen === undefined ? {} : { seen }), ...(lastAt === undefined ? {} : { lastAt }) };
}

export interface LostCursor {
  state: PullState;
  says: string;
}

/**
 * Returns the new position and a warning if the engine refuses the cursor. Undefined if the cursor is not the reason.
 * After an expiry, all kept events are newer than the cursor. After a restore many of them are known, so the pull
 * begins shortly before the last event.
 */
export function afterLostCursor(state: PullState, code: string | undefined): LostCursor | undefined {
  const kept = handedOver(state);
  if (code === 'cursor_expired') {
    return {
      state: kept,
      says:
        'The messaging engine deleted events that this trigger had not fetched, because it was off for 30 days or more. ' +
        'It goes on with the oldest event that is kept; read in the inbox what happened before.',
    };
  }
  if (code !== 'cursor_invalid') return undefined;
  const since = kept.lastAt === undefined ? undefined : new Date(Date.parse(kept.lastAt) - HOUR_MS).toISOString();
  return {
    state: since === undefined ? kept : { ...kept, since },
    says:
      'The database of the messaging engine was restored from an earlier time. The trigger goes on an hour before the ' +
      'last event that it had; events that it knows start nothing.',
  };
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Returns the pause after this number of failures in a row. */
export const pauseMs = (failures: number): number => Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
