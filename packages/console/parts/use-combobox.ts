import Combobox from '@github/combobox-nav';
import { useEffect, useRef } from 'preact/hooks';

interface Suggestions {
  /** True while the list can be chosen from. */
  isOpen: boolean;
  /** Whether Enter takes the first option before an arrow is pressed. */
  takesFirst: boolean;
  /** Identifies the options. Other ones begin with a new choice. */
  of: string;
}

/**
 * Makes a combobox of a text field and its list: the arrows choose an option, Enter presses it, and screen readers read
 * it. The options are children with the role "option".
 */
export const useCombobox = <List extends HTMLElement>({ isOpen, takesFirst, of }: Suggestions) => {
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<List>(null);
  const combobox = useRef<Combobox | null>(null);
  useEffect(() => {
    if (!input.current || !list.current) return undefined;
    const made = new Combobox(input.current, list.current, {
      // Tab moves on to the next control.
      tabInsertsSuggestions: false,
      firstOptionSelectionMode: takesFirst ? 'selected' : 'none',
    });
    combobox.current = made;
    if (isOpen) made.start();
    return () => made.destroy();
  }, [isOpen, takesFirst]);
  useEffect(() => combobox.current?.resetSelection(), [of]);
  return { input, list };
};
