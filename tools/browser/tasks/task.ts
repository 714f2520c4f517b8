import type { Hand } from '../hand/hand.ts';
import type { Scene } from '../scene/scene.ts';

/** What somebody comes for. It is told once, and done with each hand. */
export interface Task {
  title: string;
  /** Makes what the person finds, before they come. */
  prepare?(scene: Scene, hand: Hand['name']): Promise<void>;
  /** Where they begin. */
  from: string;
  act(hand: Hand, scene: Scene): Promise<void>;
}
