import type { ComponentChildren } from 'preact';
import type { Happened } from './tone.ts';
import { Time } from './time.tsx';

export interface Entry extends Omit<Happened, 'text'> {
  text?: ComponentChildren;
  more?: ComponentChildren;
}

/** Lists events in order. */
export const Timeline = ({ label, entries }: { label: string; entries: readonly Entry[] }) => (
  <ol class="timeline" aria-label={label}>
    {entries.map((entry, place) => (
      <li key={`${entry.at ?? ''} ${place}`} class={entry.tone ?? 'quiet'}>
        <p class="spread">
          <strong>{entry.title}</strong>
          <span class="small quiet">
            <Time at={entry.at} how="clock" />
          </span>
        </p>
        {entry.text !== undefined && <p class="words">{entry.text}</p>}
        {entry.more}
      </li>
    ))}
  </ol>
);
