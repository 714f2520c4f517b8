import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ChatSummary } from '../../../typescript/src/index.ts';
import { COUNT_PACE } from '../../live/spare.ts';
import { lineOf } from '../../pages/inbox/words.ts';
import { keep, readKept } from '../../parts/kept.ts';
import { useLoad } from '../../parts/use-load.ts';
import { engine, place } from '../engine.ts';
import { go, query } from '../location.ts';
import { say } from '../say.tsx';
import { accountOf } from '../waiting-count.ts';
import { CHANGES, LOOK_AGAIN_MS, LOOK_HIDDEN_MS, seesWaiting } from '../waiting.tsx';
import { alertOf, isNews, newestOf, readChoices, readWait, writeChoices } from './alert-words.ts';
import type { AlertChoices, Wait } from './alert-words.ts';
import { playSound } from './sound.ts';
import { t } from '../../parts/words/t.ts';

const ALERTS = 'engine-console-alerts';
const TOLD = 'engine-console-told';
const LISTED = 100;

const choices = signal(readChoices(readKept(ALERTS)));

const choose = (part: Partial<AlertChoices>): void => {
  choices.value = { ...choices.value, ...part };
  keep(ALERTS, writeChoices(choices.value));
};

/** A browser asks the person only after a click. */
const chooseShown = async (on: boolean): Promise<void> => {
  if (on && (await Notification.requestPermission()) !== 'granted') {
    say(t('Your browser does not allow notifications for this page. Allow them in its settings.'));
    choose({ shows: false });
  } else choose({ shows: on });
};

const show = ({ total }: Wait, chat: ChatSummary | undefined, session: string | undefined): void => {
  const { title, text } = alertOf(total, choices.value.words ? chat : undefined, lineOf(chat?.lastMessage ?? null));
  // The tag replaces the notification before, so that a busy hour leaves one.
  const shown = new Notification(title, { body: text, tag: ALERTS });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    if (chat) go(`/inbox/${chat.conversationId}`, { waiting: 'true', session });
    else go('/inbox', { waiting: 'true', session });
  });
};

/** All tabs of a browser see the same wait, and one of them tells it. */
const isFirstTab = (account: string, wait: Wait): boolean => {
  const name = `${TOLD} ${account}`;
  const isFirst = isNews(readWait(readKept(name)), wait);
  if (isFirst) keep(name, JSON.stringify(wait));
  return isFirst;
};

const Watching = () => {
  const { session } = query.value;
  const account = accountOf(place.value, session);
  const before = useRef<{ account: string; wait: Wait } | null>(null);
  const { data } = useLoad({
    load: (signal) => engine.value.conversations.list({ waiting: 'true', session, limit: LISTED }, { signal }),
    deps: [account],
    on: CHANGES,
    every: LOOK_AGAIN_MS,
    everyHidden: LOOK_HIDDEN_MS,
    pace: COUNT_PACE,
    isBeside: true,
  });
  useEffect(() => {
    if (data === undefined) return;
    const chat = newestOf(data.chats);
    const wait = { newest: chat?.waitingSince ?? '', total: data.total };
    const last = before.current?.account === account ? before.current.wait : null;
    before.current = { account, wait };
    // The first look at an account is no news.
    if (last === null || !isNews(last, wait) || !isFirstTab(account, wait) || document.hasFocus()) return;
    if (choices.value.sound) void playSound();
    if (!choices.value.shows || Notification.permission !== 'granted') return;
    try {
      show(wait, chat, session);
    } catch {
      // Some browsers of phones refuse all notifications of a page; the choice is then off.
      choose({ shows: false });
    }
  }, [data]);
  return null;
};

/** Tells of a further chat that waits, while somebody does not look at the page. */
export const Alerts = () => {
  const { sound, shows } = choices.value;
  return (sound || shows) && seesWaiting() ? <Watching /> : null;
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
      <legend>{t('For a chat that begins to wait while you are elsewhere')}</legend>
      <Choice
        on={sound}
        set={(on) => {
          choose({ sound: on });
          if (on) void playSound();
        }}
        text={t('Play a sound')}
      />
      {'Notification' in window && (
        <Choice on={shows} set={(on) => void chooseShown(on)} text={t('Show a notification')} />
      )}
      {shows && (
        <Choice
          on={words}
          set={(on) => choose({ words: on })}
          text={t("Show the customer's name and words in it (others may see your screen)")}
        />
      )}
    </fieldset>
  );
};
