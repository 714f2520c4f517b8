import type { Random } from '../../local/sandbox/random.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './sends/ledger.ts';

export interface Scene {
  ground: Ground;
  ledger: Ledger;
  round: number;
  /** True in the short form, in which outages are short, too. */
  short: boolean;
  /** The fault's own random numbers, so that the same seed makes the same fault. */
  random: Random;
}

export interface Fault {
  /** The fault's name for `--only`. */
  name: string;
  title: string;
  /** Says whether the short form has this fault: always, never, or when the seed chooses it among the kills. */
  short: 'always' | 'one of the kills' | 'never';
  /**
   * Strikes, waits until everything works again, and returns what was done. Throws when a promise that only this fault
   * checks is broken.
   */
  strike(scene: Scene): Promise<string>;
}
