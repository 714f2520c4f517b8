import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { t } from '../parts/words/t.ts';

/** Controls that stand at the foot of the rail, and behind a button where the rail is a bar. */
export const Menu = ({ state, children }: { state: ComponentChildren; children: ComponentChildren }) => {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) !== true) setOpen(false);
    };
    const close = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', close);
    };
  }, [isOpen]);
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class="menu-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {state}
        <Icon name="menu" />
        <span class="visually-hidden">{t('Menu')}</span>
      </button>
      <div
        id={id}
        class={isOpen ? 'foot is-open' : 'foot'}
        onClick={({ target }) => {
          // A choice of a tenant is often followed by another; a deed is not.
          if (target instanceof Element && target.closest('button')) setOpen(false);
        }}
      >
        {children}
      </div>
    </div>
  );
};
