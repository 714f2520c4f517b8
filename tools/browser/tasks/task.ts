import type { Hand } from '../hand/hand.ts';
import type { Scene } from '../scene/scene.ts';

/** A person's goal on a page. It is written once, and runs with each hand. */
export interface Task {
  title: string;
  /** Makes what the person finds, before they come. */
  prepare?(scene: Scene, hand: Hand['name']): Promise<void>;
  /** The first page. */
  from: string;
  act(hand: Hand, scene: Scene): Promise<void>;
}
