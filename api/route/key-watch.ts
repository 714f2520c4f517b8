import { EngineError } from '../../domain/error.ts';
import type { Asking, Door } from './caller.ts';

/** A request that is held is given up this soon after its key has ended or its agency was suspended. */
const LOOK_EVERY_MS = 400;

export type GiveUp = (why: EngineError) => void;

/** Requests that are held for one key at one kind of door. */
interface Held {
  look: () => Promise<unknown>;
  giveUps: Set<GiveUp>;
}

/** Looks at the keys of requests that are held: at each key once, however many requests are held for it. */
export function createKeyWatch(
  identify: (door: Door, asking: Asking) => Promise<unknown>,
): (door: Door, asking: Asking, giveUp: GiveUp) => () => void {
  const keys = new Map<string, Held>();
  let timer: NodeJS.Timeout | undefined;

  function lookAtAll(): void {
    for (const { look, giveUps } of keys.values()) {
      look().catch((error: unknown) => {
        // If the key cannot be read, nothing else can be read either. The next check shows it.
        if (error instanceof EngineError) for (const giveUp of giveUps) giveUp(error);
      });
    }
  }

  return (door, asking, giveUp) => {
    const { 'x-api-key': key, 'api-key': alias, authorization, cookie } = asking.headers;
    const who = [key, alias, authorization, key === undefined && alias === undefined ? cookie : undefined];
    const name = JSON.stringify([who, door.auth, door.scope, door.dashboardOnly]);
    const held = keys.get(name) ?? { look: () => identify(door, asking), giveUps: new Set() };
    held.giveUps.add(giveUp);
    keys.set(name, held);
    timer ??= setInterval(lookAtAll, LOOK_EVERY_MS).unref();
    return () => {
      held.giveUps.delete(giveUp);
      if (held.giveUps.size === 0 && keys.get(name) === held) keys.delete(name);
      if (keys.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
