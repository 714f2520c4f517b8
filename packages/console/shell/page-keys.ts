import { signal } from '@preact/signals';
import { t } from '../parts/words/t.ts';

/** The keys of the inbox. `j` and `k` move by the list; the others press the control that names them. */
export const PAGE_KEYS = [
  { key: 'j', title: t('Open the next conversation') },
  { key: 'k', title: t('Open the previous conversation') },
  { key: 'r', title: t('Write an answer') },
  { key: 't', title: t('Take over, or give back') },
  { key: 'e', title: t('Mark as needing no answer') },
  { key: '/', title: t('Search the list') },
] as const;

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 };

/** Opens a neighbour in the list that is shown; null without a list. */
export const moveInList = signal<((step: 1 | -1) => void) | null>(null);

/** Presses the control of the page that has this key in `aria-keyshortcuts`. False if there is none. */
export const pressOnPage = (key: string): boolean => {
  const step = STEPS[key];
  if (step !== undefined) {
    moveInList.value?.(step);
    return moveInList.value !== null;
  }
  if (!PAGE_KEYS.some((known) => known.key === key)) return false;
  const control = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${key}"]`)].find((one) =>
    one.checkVisibility(),
  );
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.focus();
  else control?.click();
  return control !== undefined;
};
