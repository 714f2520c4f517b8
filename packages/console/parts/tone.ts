export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

/** An entry of a timeline that is words alone. */
export interface Happened {
  at: string | null;
  title: string;
  text?: string;
  tone?: Tone;
}
