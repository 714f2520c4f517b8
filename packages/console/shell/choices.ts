import { signal } from '@preact/signals';

/** Whether there is an agency that the master key could choose; null until the header has read them. */
export const hasAgencies = signal<boolean | null>(null);
/** Whether the chosen agency has a tenant with an account; null until the header has read them. */
export const hasTenants = signal<boolean | null>(null);
