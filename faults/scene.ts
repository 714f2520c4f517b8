import type { Random } from '../sandbox/random.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './sends/ledger.ts';

export interface Scene {
  ground: Ground;
  ledger: Ledger;
  round: number;
  /** In the short form outages are short, too. */
  short: boolean;
  /** The fault's own: the same seed makes the same fault. */
  random: Random;
}

export interface Fault {
  /** The word for `--only`. */
  name: string;
  title: string;
  /** Part of the short form: always, or as the one of its kind that the seed chooses. */
  short: 'always' | 'one of the kills' | 'never';
  /** Strikes, waits until what broke is whole again, and says what was done. Throws when a promise of its own is broken. */
  strike(scene: Scene): Promise<string>;
}
