import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { t } from './words/t.ts';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ComponentChildren;
  /** It cannot be left: for the login. */
  stays?: boolean;
}

/** The browser's own dialog: it keeps the focus inside, closes by Escape, and gives the focus back. */
export const Dialog = ({ open, onClose, title, children, stays = false }: DialogProps) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    if (!open && dialog.current?.open === true) dialog.current.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (stays) event.preventDefault();
      }}
      onClose={() => {
        // A browser lets a second Escape through.
        if (stays && open) dialog.current?.showModal();
        else onClose();
      }}
    >
      {open && (
        <div class="stack">
          <div class="spread">
            <h2 id={id}>{title}</h2>
            {!stays && (
              <button type="button" class="plain" aria-label={t('Close')} onClick={onClose}>
                <Icon name="close" />
              </button>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
};
