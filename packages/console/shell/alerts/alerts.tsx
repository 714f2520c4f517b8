import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { lineOf } from '../../pages/inbox/words.ts';
import { keep, readKept } from '../../parts/kept.ts';
import { engine } from '../engine.ts';
import { go, query } from '../location.ts';
import { say } from '../say.tsx';
import { countOf, waiting } from '../waiting-count.ts';
import { alertOf, newestOf, readChoices, writeChoices } from './alert-words.ts';
import type { AlertChoices } from './alert-words.ts';
import { playSound } from './sound.ts';

const ALERTS = 'engine-console-alerts';
const LISTED = 100;

const choices = signal(readChoices(readKept(ALERTS)));

const choose = (part: Partial<AlertChoices>): void => {
  choices.value = { ...choices.value, ...part };
  keep(ALERTS, writeChoices(choices.value));
};

/** A browser asks the person only after a click. */
const chooseShown = async (on: boolean): Promise<void> => {
  if (on && (await Notification.requestPermission()) !== 'granted') {
    say('Your browser does not allow notifications for this page. Allow them in its settings.');
    choose({ shows: false });
  } else choose({ shows: on });
};

/** The chat that the notification is about; without it, the notification has the number alone. */
const newestWaiting = async () => {
  const { session } = query.value;
  const { chats } = await engine.value.conversations.list({ waiting: 'true', session, limit: LISTED });
  return newestOf(chats);
};

const show = async (count: number): Promise<void> => {
  const { session } = query.value;
  const chat = await newestWaiting().catch(() => undefined);
  const { title, text } = alertOf(count, choices.value.words ? chat : undefined, lineOf(chat?.lastMessage ?? null));
  // The tag replaces the notification before, so that a busy hour leaves one.
  const shown = new Notification(title, { body: text, tag: ALERTS });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    if (chat) go(`/inbox/${chat.conversationId}`, { waiting: 'true', session });
    else go('/inbox', { waiting: 'true', session });
  });
};

/** Tells of a further chat that waits, while somebody does not look at the page. */
export const Alerts = () => {
  const before = useRef<number | null>(null);
  const count = countOf.value;
  useEffect(() => {
    const isMore = count !== null && before.current !== null && count > before.current;
    before.current = count;
    if (!isMore || document.hasFocus()) return;
    if (choices.value.sound) void playSound();
    // Some browsers of phones refuse all notifications of a page; the choice is then off.
    if (choices.value.shows && Notification.permission === 'granted')
      show(waiting.value).catch(() => choose({ shows: false }));
  }, [count]);
  return null;
};

const Choice = ({ on, set, text }: { on: boolean; set: (on: boolean) => void; text: string }) => (
  <label class="row">
    <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
    {text}
  </label>
);

export const AlertForm = () => {
  const { sound, shows, words } = choices.value;
  return (
    <fieldset class="stack">
      <legend>When a chat begins to wait and you are elsewhere</legend>
      <Choice
        on={sound}
        set={(on) => {
          choose({ sound: on });
          if (on) void playSound();
        }}
        text="Play a sound"
      />
      {'Notification' in window && <Choice on={shows} set={(on) => void chooseShown(on)} text="Show a notification" />}
      {shows && (
        <Choice
          on={words}
          set={(on) => choose({ words: on })}
          text="Show the customer's name and words in it (others may see your screen)"
        />
      )}
    </fieldset>
  );
};
