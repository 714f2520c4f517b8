import type { ComponentChildren } from 'preact';
import { Time } from '../../parts/time.tsx';
import { durationOf } from '../../parts/times.ts';
import type { Tone } from '../../parts/tone.ts';
import type { Instead } from './sentences.ts';
import { t } from '../../parts/words/t.ts';

/** A step of a run, as it is drawn. */
export interface Drawn {
  at: string | null;
  sentence: string;
  /** The words that the customer gets. */
  words?: string | null;
  more?: ComponentChildren;
  tone?: Tone;
  isOpen?: boolean;
  instead?: readonly Instead[] | undefined;
}

/** Shorter pauses are the engine's own work and no part of the automation. */
const SHOWN_FROM_MS = 1_000;

const pauseBetween = (from: string | null, to: string | null): string | null => {
  if (from === null || to === null) return null;
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= SHOWN_FROM_MS ? durationOf(ms) : null;
};

const Others = ({ instead }: { instead: readonly Instead[] }) => (
  <>
    {instead.map(({ sentence, runs }) => (
      <p key={sentence} class="instead small">
        {runs === 1 ? t('1 other run') : t('{0} other runs', runs)}: {sentence}
      </p>
    ))}
  </>
);

/** A run from top to bottom: each step a sentence, the pauses between them, and in grey the ways of other runs. */
export const Picture = ({ label, steps }: { label: string; steps: readonly Drawn[] }) => (
  <ol class="picture" aria-label={label}>
    {steps.map((step, place) => {
      const pause = pauseBetween(steps[place - 1]?.at ?? null, step.at);
      return (
        <li
          key={`${step.at ?? ''} ${place}`}
          class={step.tone ?? 'quiet'}
          aria-current={step.isOpen ? 'step' : undefined}
        >
          {pause !== null && (
            <p class="pause small quiet">
              {pause} {t('later')}
            </p>
          )}
          <p class="spread">
            <strong>{step.sentence}</strong>
            {step.at !== null && (
              <span class="small quiet">
                <Time at={step.at} how="clock" />
              </span>
            )}
          </p>
          {step.words != null && (
            <blockquote class="words" dir="auto">
              {step.words}
            </blockquote>
          )}
          {step.more}
          {step.instead && <Others instead={step.instead} />}
        </li>
      );
    })}
  </ol>
);
