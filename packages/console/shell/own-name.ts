import { signal } from '@preact/signals';

const NAME = 'engine-console-name';
const remembered = (): string => {
  try {
    return window.localStorage.getItem(NAME) ?? '';
  } catch {
    return '';
  }
};
/** The name that this person gave; empty until they give one. */
export const ownName = signal(remembered());

/** The name stays in the browser. */
export const rememberMe = (given: string): void => {
  ownName.value = given;
  try {
    window.localStorage.setItem(NAME, given);
  } catch {
    // It is asked for again next time.
  }
};
