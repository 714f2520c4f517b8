import type { Who } from './who.ts';
import { t } from '../parts/words/t.ts';

export interface Arriving {
  /** The ticket of a link; null where the address has none. */
  ticket: string | null;
  /** Reads the login that the browser has; null for none. */
  read: () => Promise<Who | null>;
  /** Uses the ticket, which ends the login that the browser has. */
  open: (ticket: string) => Promise<Who>;
  /** Asks whether the link is to replace the login. */
  asks: (login: Who) => Promise<boolean>;
  /** A link that the person chose to open is refused, and the former login stays. */
  refused: (error: unknown) => void;
}

/**
 * Returns the login to go on with; null for none. A link replaces a login only after a question: an address that
 * somebody sent would otherwise log a person out, and show them as their own what belongs to its sender.
 */
export const arriveBy = async ({ ticket, read, open, asks, refused }: Arriving): Promise<Who | null> => {
  if (ticket === null) return read();
  const login = await read().catch(() => null);
  if (login === null) return open(ticket);
  // A ticket works once: whoever opens their own link again is logged in by then.
  if (login.link !== null && ticket.startsWith(`${login.link.id}.`)) return login;
  if (!(await asks(login))) return login;
  try {
    return await open(ticket);
  } catch (error) {
    refused(error);
    return login;
  }
};

/** Names a login for the person who has it. */
export const nameOfLogin = ({ kind, keyName, link }: Who): string => {
  if (link !== null) return t('the link “{0}”', link.name);
  if (kind === 'master') return t('the master key');
  if (keyName !== null) return t('the key “{0}”', keyName);
  return kind === 'session' ? t('a key of a session') : t('a key of a dashboard');
};
