import { computed, signal } from '@preact/signals';
import { who } from './engine.ts';

const NAME = 'engine-console-name';
const remembered = (): string => {
  try {
    return window.localStorage.getItem(NAME) ?? '';
  } catch {
    return '';
  }
};
const name = signal(remembered());

/** The name under which this person takes conversations; empty until they say it. A person who came by a link has its name. */
export const me = computed(() => who.value?.link?.name ?? name.value);

/** The name stays in the browser. */
export const rememberMe = (given: string): void => {
  name.value = given;
  try {
    window.localStorage.setItem(NAME, given);
  } catch {
    // It is asked for again next time.
  }
};
