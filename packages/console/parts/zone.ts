import { signal } from '@preact/signals';

/** The time zone of the chosen tenant. Undefined for the browser's own, if the tenant has set none. */
export const zone = signal<string | undefined>(undefined);

/** An engine may know a zone that this browser does not, and a formatter would throw for it. */
export const knownZone = (name: string | null | undefined): string | undefined => {
  if (name == null || name === '') return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
