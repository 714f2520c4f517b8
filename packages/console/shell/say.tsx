import { signal } from '@preact/signals';

const SHOWN_FOR_MS = 6_000;

const said = signal<{ text: string; n: number } | null>(null);
let timer: number | undefined;
let n = 0;

/** Says shortly what has happened, also to screen readers. */
export const say = (text: string): void => {
  window.clearTimeout(timer);
  n += 1;
  said.value = { text, n };
  timer = window.setTimeout(() => (said.value = null), SHOWN_FOR_MS);
};

export const Said = () => (
  <div class="said" role="status" aria-live="polite">
    {said.value && <p key={said.value.n}>{said.value.text}</p>}
  </div>
);
