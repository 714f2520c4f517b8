import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { emojiFor } from './emoji-list.ts';
import { t } from '../../../parts/words/t.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };

interface EmojiPickerProps {
  choose: (emoji: string) => void;
  close: () => void;
}

/** A few emoji with a search by words. Enter takes the first, and the arrows move between them. */
export const EmojiPicker = ({ choose, close }: EmojiPickerProps) => {
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const found = emojiFor(typed);
  useEffect(() => field.current?.focus(), []);
  const focusOn = (place: number): void => {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])];
    buttons[Math.max(0, Math.min(place, buttons.length - 1))]?.focus();
  };
  const pressed = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    const at = [...(grid.current?.querySelectorAll('button') ?? [])].findIndex((one) => one === event.target);
    if (at < 0 && event.key !== 'ArrowDown') return;
    event.preventDefault();
    if (at >= 0 && at + step < 0) field.current?.focus();
    else focusOn(at < 0 ? 0 : at + step);
  };
  return (
    <div class="emoji" role="group" aria-label={t('Emoji')} onKeyDown={pressed}>
      <input
        ref={field}
        type="search"
        aria-label={t('Find an emoji')}
        placeholder={t('Find an emoji, such as thanks')}
        autocomplete="off"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          const [first] = found;
          if (first) choose(first.emoji);
        }}
      />
      <div class="emoji-grid" ref={grid}>
        {found.map(({ emoji, words }, place) => (
          <button
            key={emoji}
            type="button"
            class="plain"
            tabIndex={place === 0 ? 0 : -1}
            aria-label={words}
            title={words}
            onClick={() => choose(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="small quiet">{t('No emoji has these words.')}</p>}
    </div>
  );
};
