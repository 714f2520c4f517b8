import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The page's one h1. It gets the focus when somebody comes from another page, so that a screen reader begins here. */
export const PageHead = ({ title, actions, text }: { title: string; actions?: ComponentChildren; text?: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost || document.activeElement?.closest('nav')) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-head spread">
      <div>
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {text !== undefined && <p class="quiet">{text}</p>}
      </div>
      {actions !== undefined && <div class="row">{actions}</div>}
    </header>
  );
};
