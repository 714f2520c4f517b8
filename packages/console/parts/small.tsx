import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

export type { Tone } from './tone.ts';

/** A state in a word. The colour repeats what the word says. */
export const Badge = ({ tone, title, children }: { tone: Tone; title?: string; children: ComponentChildren }) => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
);

export const Facts = ({ items }: { items: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {items.map(([term, what]) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>{what ?? '–'}</dd>
      </div>
    ))}
  </dl>
);

/** Nothing is here, and what to do about it. */
export const Empty = ({ text, children }: { text: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p>{text}</p>
    {children}
  </div>
);

export interface TabsProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string; href: string }[];
}

/** Views of one page: each is an address, so these are links. */
export const Tabs = ({ label, value, options }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {options.map((option) => (
      <a key={option.value} href={option.href} aria-current={option.value === value ? 'page' : undefined}>
        {option.label}
      </a>
    ))}
  </nav>
);
