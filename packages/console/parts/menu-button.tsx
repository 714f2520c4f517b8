import { focusGroupKeyUX, startKeyUX } from 'keyux';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

// The arrows, Home, End and the first letters of an item move within every menu of the page.
startKeyUX(window, [focusGroupKeyUX()]);

const ITEM = '[role="menuitem"]';

export interface MenuButtonProps {
  label: string;
  icon: IconName;
  children: ComponentChildren;
}

/**
 * A button and its menu. The browser shows it above the page, closes it by Escape or a click elsewhere, and gives the
 * focus back. A dialog that an item opens must be outside: a closed menu hides what is in it.
 */
export const MenuButton = ({ label, icon, children }: MenuButtonProps) => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="plain"
        title={label}
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
      >
        <Icon name={icon} />
        <span class="visually-hidden">{label}</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        aria-orientation="horizontal"
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') menu.current?.querySelector<HTMLElement>(ITEM)?.focus();
        }}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest(ITEM)) menu.current?.hidePopover();
        }}
        // Tab leads out, and the browser leaves the menu open.
        onFocusOut={({ relatedTarget }) => {
          if (relatedTarget instanceof Node && menu.current?.contains(relatedTarget) === false)
            menu.current.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
};

export interface MenuItemProps {
  label?: string;
  onClick: () => void;
  children: ComponentChildren;
}

/** The arrows lead to an item, and Tab does not. */
export const MenuItem = ({ label, onClick, children }: MenuItemProps) => (
  <button type="button" role="menuitem" tabIndex={-1} class="plain" aria-label={label} onClick={onClick}>
    {children}
  </button>
);
