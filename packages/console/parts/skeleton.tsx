import { t } from './words/t.ts';

/** Grey lines in place of what is loaded. Screen readers hear one word. */
export const Skeleton = ({ rows, shape }: { rows: number; shape: 'chat' | 'bubble' | 'line' }) => (
  <div class={`skeleton ${shape}s`}>
    <p class="visually-hidden">{t('Loading …')}</p>
    {Array.from({ length: rows }, (_, place) => (
      <span key={place} class={place % 3 === 2 ? `${shape} other` : shape} aria-hidden="true" />
    ))}
  </div>
);
