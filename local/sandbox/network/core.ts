import type { Engine } from '../state/fact.ts';
import type { Account, Session } from '../state/session.ts';
import type { World } from '../state/world.ts';
import type { Settings } from '../options.ts';
import type { Timers } from '../timers.ts';
import type { NetworkClock } from './clock.ts';
import type { WebhookSender } from '../webhooks/sender.ts';
import { toChatId } from '../chat-id.ts';
import { Engine as EngineName } from '../state/fact.ts';

/** The things that every part of the simulated network works with. */
export interface Core {
  readonly settings: Settings;
  readonly world: World;
  readonly timers: Timers;
  readonly clock: NetworkClock;
  readonly webhooks: WebhookSender;
  /** When each message's file was last fetched from the network; the backend deletes it some minutes later. */
  readonly fetchedAt: Map<string, number>;
  /** The sandbox's own address, known once it listens. */
  url: string;
  /** The release of the backend that is played; the control API changes it, as an upgrade does. */
  version: string;
}

/**
 * Returns the engine in whose shapes a session answers: the control API's choice counts first, then the session's
 * metadata, then the sandbox's default.
 */
export function engineOf(core: Core, session: Session): Engine {
  const named = EngineName.safeParse(session.config.metadata?.['sandbox.engine']);
  return session.engine ?? (named.success ? named.data : core.settings.engine);
}

/** Returns the account of a linked session; a call before the first scan is a bug of the sandbox. */
export function accountOf(session: Session): Account {
  if (!session.account) throw new Error(`session ${session.name} has never been linked`);
  return session.account;
}

/** Returns the phone behind a chat id when the account knows it, otherwise the chat id. */
export function phoneOf(account: Account, chatId: string): string {
  const known = chatId.endsWith('@lid') ? account.aliases.get(chatId) : chatId;
  return toChatId(known ?? chatId);
}

/** Runs `act` later, unless the session was deleted (or made anew under its name) in the meantime. */
export function laterIn(core: Core, session: Session, ms: number, act: () => void): void {
  core.timers.after(ms, () => {
    if (core.world.sessions.get(session.name) === session) act();
  });
}
