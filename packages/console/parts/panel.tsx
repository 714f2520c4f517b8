import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Problem } from './problem.tsx';
import { useLoad } from './use-load.ts';
import type { Loading, Loads } from './use-load.ts';
import { t } from './words/t.ts';

interface Frame {
  title: string;
  /** The level of its heading. */
  level?: 2 | 3;
  actions?: ComponentChildren;
  class?: string;
}

/** A part of a page with a heading, for what needs no loading. */
export const Section = ({
  title,
  level = 2,
  actions,
  class: name,
  children,
}: Frame & { children: ComponentChildren }) => {
  const id = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section class={`panel ${name ?? ''}`} aria-labelledby={id}>
      <div class="spread">
        <Heading id={id}>{title}</Heading>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
};

export interface PanelProps<T> extends Frame, Loads<T> {
  children: (data: T, panel: Loading<T>) => ComponentChildren;
}

/** Shows the data of `useLoad`, or its failure. Earlier data stays below a problem. */
export const Loadable = <T,>({ of, children }: { of: Loading<T>; children: (data: T) => ComponentChildren }) => (
  <div class="stack" aria-busy={of.loading}>
    {of.problem && <Problem problem={of.problem} retry={of.reload} />}
    {of.data !== undefined && children(of.data)}
    {of.data === undefined && !of.problem && <p class="quiet">{t('Loading …')}</p>}
  </div>
);

/** A part of a page that loads, and fails, alone. */
export const Panel = <T,>({ title, level, actions, class: name, children, ...loads }: PanelProps<T>) => {
  const loading = useLoad(loads);
  const frame = { title, actions, ...(level ? { level } : {}), ...(name ? { class: name } : {}) };
  return (
    <Section {...frame}>
      <Loadable of={loading}>{(data) => children(data, loading)}</Loadable>
    </Section>
  );
};
