import type { Logger } from './logger.ts';

/** Facts that the middlewares tell each other about one request. */
export interface RequestState {
  requestId: string;
  log: Logger;
  /** The template of the route that took the request; paths hold phone numbers and are never logged. */
  route: string;
  keyId: string | undefined;
}

export const UNMATCHED = 'unmatched';
