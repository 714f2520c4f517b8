import { computed, effect, signal, untracked } from '@preact/signals';
import { EngineError } from '../../typescript/src/index.ts';
import type { StreamedEvent } from '../../typescript/src/index.ts';
import { tellHint } from './hints.ts';
import { engine, hasPlace, hasStream, isReached, needsLogin } from '../shell/engine.ts';

/**
 * `polled`: the login opens no stream, so pages read again by themselves. `unheard`: the engine refuses the stream, so
 * pages that only listen stay as they are.
 */
export type LiveState = 'connecting' | 'catching-up' | 'live' | 'offline' | 'paused' | 'polled' | 'unheard';
type Listener = (event: StreamedEvent) => void;

/** The one pause: nothing on the screen moves by itself. */
export const paused = signal(false);
const state = signal<Exclude<LiveState, 'paused'>>('connecting');
export const live = computed<LiveState>(() => (paused.value ? 'paused' : state.value));
export const offlineSince = signal<Date | null>(null);
/** Grows when the stream begins anew: what was loaded before may have missed something. */
export const restarts = signal(0);

const HIDDEN_FOR_MS = 30_000;
const AGAIN_AFTER_MS = 5_000;

const listeners = new Map<string, Set<Listener>>();

/** Calls the listener for each event of these types, in order; `*` is every type. The returned function ends that. */
export const onEvent = (types: readonly string[], listener: Listener): (() => void) => {
  for (const type of types) {
    const those = listeners.get(type) ?? new Set();
    listeners.set(type, those.add(listener));
  }
  return () => {
    for (const type of types) listeners.get(type)?.delete(listener);
  };
};

const tell = (event: StreamedEvent): void => {
  const told = new Set([...(listeners.get(event.type) ?? []), ...(listeners.get('*') ?? [])]);
  for (const listener of told) listener(event);
};

/** A tab that nobody sees holds no connection: a browser has six for each host. */
const isAway = signal(false);
const watchVisibility = (): void => {
  let timer: number | undefined;
  document.addEventListener('visibilitychange', () => {
    window.clearTimeout(timer);
    if (document.hidden) timer = window.setTimeout(() => (isAway.value = true), HIDDEN_FOR_MS);
    else isAway.value = false;
  });
};

const stateIs = (next: Exclude<LiveState, 'paused'>): void => {
  if (next === 'offline') offlineSince.value ??= new Date();
  else if (next === 'live' || next === 'polled' || next === 'unheard') offlineSince.value = null;
  state.value = next;
};

/** Position of the stream after a pause. Each place has its own. */
let cursor: string | undefined;

const follow = async (client: typeof engine.value, signal: AbortSignal): Promise<void> => {
  const beginsAnew = cursor === undefined;
  const stream = client.events.stream({
    after: cursor,
    signal,
    onHint: tellHint,
    onState: (now) => {
      if (signal.aborted) return;
      if (now.state === 'live' && beginsAnew && cursor === undefined) restarts.value += 1;
      if (now.cursor !== undefined) cursor = now.cursor;
      stateIs(now.state);
    },
  });
  for await (const event of stream) {
    if (signal.aborted) return;
    cursor = event.cursor;
    tell(event);
  }
};

const CURSOR_GONE = ['cursor_expired', 'cursor_invalid'];

const followForEver = async (client: typeof engine.value, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await follow(client, signal);
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof EngineError ? error.code : null;
      // A refusal stays one. Asking again would show it as an outage.
      if (code === 'forbidden') return stateIs('unheard');
      stateIs('offline');
      if (code === 'unauthorized') {
        // The stream says so at once; the next request of the page may be half a minute away.
        needsLogin.value = true;
        return;
      }
      if (code !== null && CURSOR_GONE.includes(code)) cursor = undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
};

/** Holds the stream of the place that is chosen, for as long as somebody is there to see it. */
export const startLive = (): void => {
  watchVisibility();
  let of: typeof engine.value | undefined;
  effect(() => {
    const client = engine.value;
    if (!hasPlace.value || needsLogin.value || paused.value || isAway.value) return undefined;
    if (!hasStream.value) {
      const next = isReached.value ? 'polled' : 'offline';
      untracked(() => stateIs(next));
      return undefined;
    }
    if (of !== client) cursor = undefined;
    of = client;
    const ending = new AbortController();
    untracked(() => {
      stateIs('connecting');
      void followForEver(client, ending.signal);
    });
    return () => ending.abort();
  });
};
