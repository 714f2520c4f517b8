import { signal } from '@preact/signals';
import { keep, readKept } from '../../../parts/kept.ts';

const ENTER = 'engine-console-enter-sends';

/** Whether Enter sends, by choice of the person. Otherwise Ctrl+Enter does. */
export const enterSends = signal(readKept(ENTER) !== null);

export const setEnterSends = (on: boolean): void => {
  enterSends.value = on;
  keep(ENTER, on ? '1' : null);
};
