import { isAlive } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';

const EVERY_MS = 250;

export interface ExitWatch {
  /** Calls back once when the process ends without our having stopped it. */
  onExit: (callback: () => void) => void;
  cancel: () => void;
}

/** Watches by polling, because a server that we attached to is not our child and sends us no exit event. */
export function watchExit(identity: ProcessIdentity): ExitWatch {
  const callbacks: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => clearInterval(timer);
  const check = () => {
    if (isAlive(identity)) return;
    cancel();
    for (const callback of callbacks) callback();
  };
  return {
    onExit(callback) {
      callbacks.push(callback);
      // The timer is unref'd, because watching alone must not keep the engine from ending.
      timer ??= setInterval(check, EVERY_MS).unref();
    },
    cancel,
  };
}
