/** The pages of the console that a link may show; each opens the routes that it needs (`api/console/opened-routes.ts`). */
export const CONSOLE_PAGES = ['connect', 'inbox', 'message', 'events', 'agent', 'automations'] as const;
export type ConsolePage = (typeof CONSOLE_PAGES)[number];

/** A login in the console ends after this time. */
export const LOGIN_SECONDS = 12 * 3_600;
