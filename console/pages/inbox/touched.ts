import { signal } from '@preact/signals';

/** Grows when something was done here of which no event tells: that a message was accepted, or that a chat was read. */
export const touched = signal(0);

export const touch = (): void => {
  touched.value += 1;
};

/** A message from the phone is to be seen within three seconds, and no event tells of it before it is matched. */
export const LOOK_AT_PHONE_MS = 2_000;
