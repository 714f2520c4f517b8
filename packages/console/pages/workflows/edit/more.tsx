import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface MoreProps {
  title: string;
  /** True if something in it has a problem, which a closed one would hide. */
  isWrong: boolean;
  children: ComponentChildren;
}

/** A part that a person opens, and that opens by itself to show a problem. */
export const More = ({ title, isWrong, children }: MoreProps) => {
  const details = useRef<HTMLDetailsElement>(null);
  // It stays open once the problem is solved, because the person is still typing in it.
  useLayoutEffect(() => {
    if (isWrong && details.current) details.current.open = true;
  }, [isWrong]);
  return (
    <details ref={details}>
      <summary>{title}</summary>
      <div class="stack">{children}</div>
    </details>
  );
};
