import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { paused } from '../live/live.ts';
import { Dialog } from '../parts/dialog.tsx';
import { isComposing } from '../pages/inbox/compose/is-send.ts';
import { PAGES } from '../pages/index.ts';
import { who } from './engine.ts';
import { createKeys } from './keys.ts';
import { AlertForm } from './alerts/alerts.tsx';
import { finder } from './finder/opened.ts';
import { LanguageChoice } from './language-choice.tsx';
import { go } from './location.ts';
import { PAGE_KEYS, pressOnPage } from './page-keys.ts';
import { say } from './say.tsx';
import { t } from '../parts/words/t.ts';

export const helpIsOpen = signal(false);

const OFF = 'engine-console-keys-off';
const remembered = (): boolean => {
  try {
    return window.localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
};
/** People who dictate turn single keys off, or each word would press some. */
const keysAreOn = signal(remembered());
const setKeys = (on: boolean): void => {
  keysAreOn.value = on;
  try {
    if (on) window.localStorage.removeItem(OFF);
    else window.localStorage.setItem(OFF, '1');
  } catch {
    say(t('Your browser cannot save this setting. It applies until you close the page.'));
  }
};

const withKeys = PAGES.flatMap((page) =>
  page.key ? [{ key: page.key, title: page.title, to: page.path.split('/:')[0] ?? '/' }] : [],
);

const shortcuts: Record<string, () => void> = {
  '?': () => (helpIsOpen.value = true),
  p: () => {
    paused.value = !paused.value;
  },
  ...Object.fromEntries(withKeys.map(({ key, to }) => [`g ${key}`, () => go(to)])),
};

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], .emoji, [role="menu"]') !== null;

export const useKeys = (): void => {
  useEffect(() => {
    const press = createKeys(shortcuts);
    const pressed = (event: KeyboardEvent): void => {
      if (who.value === null || isComposing(event) || document.querySelector('dialog[open]')) return;
      if (event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        finder.value = '';
        return;
      }
      // A key that is held would take over and give back, or open one chat after another.
      if (!keysAreOn.value || event.repeat) return;
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      const isInText = isWriting(event.target);
      const isTaken =
        press({ key: event.key, hasModifier, isWriting: isInText, at: event.timeStamp }) ||
        (!hasModifier && !isInText && pressOnPage(event.key));
      if (isTaken) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
};

export const Help = () => (
  <Dialog open={helpIsOpen.value} onClose={() => (helpIsOpen.value = false)} title={t('Help and shortcuts')}>
    <dl class="facts">
      <div>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t('Show this help')}</dd>
      </div>
      <div>
        <dt>
          <kbd>p</kbd>
        </dt>
        <dd>{t('Pause or resume live updates')}</dd>
      </div>
      <div>
        <dt>
          <kbd>Ctrl</kbd> <kbd>K</kbd>
        </dt>
        <dd>{t('Find people, words, messages, ids and pages')}</dd>
      </div>
      {PAGE_KEYS.map(({ key, title }) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{title}</dd>
        </div>
      ))}
      {withKeys.map(({ key, title }) => (
        <div key={key}>
          <dt>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>
          <dd>
            {t('Open')} {title}
          </dd>
        </div>
      ))}
    </dl>
    <label class="row">
      <input type="checkbox" checked={keysAreOn.value} onChange={(event) => setKeys(event.currentTarget.checked)} />
      {t('Use keyboard shortcuts (they are off while you type)')}
    </label>
    <LanguageChoice />
    <AlertForm />
    {who.value && <p class="small quiet">{t('Engine {0}, logged in {1}', who.value.version, whoIs(who.value))}</p>}
  </Dialog>
);

const whoIs = ({ kind, keyName, link }: NonNullable<typeof who.value>): string => {
  if (link) return t('with the link “{0}”', link.name);
  if (kind === 'master') return t('with the master key');
  const by = kind === 'session' ? t('with the session’s key') : t('with the dashboard’s key');
  return keyName === null ? by : `${by} “${keyName}”`;
};
