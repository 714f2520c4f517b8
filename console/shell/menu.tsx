import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** Controls that stand in the header where it has room for them, and behind a button where it has none. */
export const Menu = ({ children }: { children: ComponentChildren }) => {
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
        Menu
      </button>
      <div id={id} class={isOpen ? 'row is-open' : 'row'} onClick={() => setOpen(false)}>
        {children}
      </div>
    </div>
  );
};
