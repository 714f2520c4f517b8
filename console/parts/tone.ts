import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

/** An entry of a timeline. */
export interface Happened {
  at: string | null;
  title: string;
  text?: ComponentChildren;
  tone?: Tone;
  more?: ComponentChildren;
}
