import { signal } from '@preact/signals';

/** Grows when something was done here of which no event tells: that a message was accepted, or that a chat was read. */
export const touched = signal(0);

export const touch = (): void => {
  touched.value += 1;
};
