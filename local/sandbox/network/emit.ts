import type { StoredMessage, Session } from '../state/session.ts';
import type { WebhookConfig } from '../state/session-settings.ts';
import { waMessage } from '../shapes/wa-message.ts';
import type { MessageView } from '../shapes/wa-message.ts';
import { envelope } from '../webhooks/envelope.ts';
import { accountOf, engineOf } from './core.ts';
import type { Core } from './core.ts';

/** A subscription to `*` does not include these two events. */
const NOT_IN_STAR = new Set(['engine.event', 'state.change']);

function subscribed(webhook: WebhookConfig, event: string): boolean {
  return webhook.events.some((wanted) => wanted === event || (wanted === '*' && !NOT_IN_STAR.has(event)));
}

export function emit(core: Core, session: Session, event: string, payload: object): void {
  const webhooks = (session.config.webhooks ?? []).filter((webhook) => subscribed(webhook, event));
  if (webhooks.length === 0) return;
  const told = envelope(
    session,
    { version: core.version, engine: engineOf(core, session) },
    { event, payload, timestamp: core.clock.now() },
  );
  for (const webhook of webhooks) core.webhooks.send(webhook, told);
}

/** Reports an event of an account only while its session works; other events are missed, as with the real backend. */
export function emitWhileWorking(core: Core, session: Session, event: string, payload: object): void {
  if (session.status === 'WORKING') emit(core, session, event, payload);
}

/** Reports `message.any` for every message and also `message` for an inbound one; the two carry different event ids. */
export function emitMessage(core: Core, session: Session, message: StoredMessage): void {
  const payload = waMessage(message, viewOf(core, session));
  emitWhileWorking(core, session, 'message.any', payload);
  if (!message.fromMe) emitWhileWorking(core, session, 'message', payload);
}

export function viewOf(core: Core, session: Session, withMedia = true): MessageView {
  return {
    account: accountOf(session),
    engine: engineOf(core, session),
    fetchFile(name) {
      core.fetchedAt.set(name, core.clock.now());
      return `${core.url}/api/files/${session.name}/${name}`;
    },
    withMedia,
  };
}
