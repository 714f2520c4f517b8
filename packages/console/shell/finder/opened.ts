import { signal } from '@preact/signals';

/** The words with which the finder opens; null while it is closed. */
export const finder = signal<string | null>(null);
