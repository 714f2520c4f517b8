import { setHandler } from '@temporalio/workflow';
import { acked, changed, released } from '../signals.ts';

/** The hints that signals have given since the workflow last looked. */
export interface Hints {
  /** True when something may have happened to the message's row. */
  mustLook: boolean;
  /** The ack level that the network has confirmed; -1 is an error. */
  level: number;
}

export function handleHints(level: number): Hints {
  const hints: Hints = { mustLook: false, level };
  const look = (): void => {
    hints.mustLook = true;
  };
  setHandler(acked, (reached) => void (hints.level = reached < 0 ? reached : Math.max(hints.level, reached)), {
    description: 'The network has confirmed a delivery level of this message; -1 is an error.',
  });
  setHandler(released, look, { description: 'The session may send again.' });
  setHandler(changed, look, { description: "The message's row has changed." });
  return hints;
}
