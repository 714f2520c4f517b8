import { z } from 'zod';
import { Numeric, Text } from '../events/raw.ts';

export interface SessionSpec {
  name: string;
  /** The engine's id of the session. The backend keeps it in the session's metadata, which tells whose session it is. */
  sessionId: string;
  /** Whether a session of that name may be taken over although its metadata does not name ours. */
  adopts: boolean;
  webhookUrl: string;
  webhookSecret: string;
  /** A running session that has this secret keeps it, because a change restarts it. */
  formerWebhookSecret?: string;
  events: readonly string[];
  /** A running session that hears these keeps them, for the same reason. */
  formerEvents?: readonly string[];
}

/**
 * The backend retries an event exponentially from 4 s, for about an hour in all; reading the history closes longer gaps
 * (`docs/extend/backend.md#events`, 1).
 */
const RETRIES = { policy: 'exponential', delaySeconds: 2, attempts: 10 };

const Webhook = z.object({
  url: Text,
  events: z.array(z.string()).catch([]),
  hmac: z.object({ key: Text }).nullable().catch(null),
  retries: z.object({ policy: Text, delaySeconds: Numeric, attempts: Numeric }).nullable().catch(null),
});

const Section = z.record(z.string(), z.unknown()).catch({});
const Webhooks = z.array(Webhook).catch([]);

/** The configuration as the backend stores it; parts that the engine does not set are kept as they are. */
export const SessionConfig = Section;
export type SessionConfig = z.output<typeof SessionConfig>;

/**
 * Makes the configuration that the engine needs. A PUT replaces the whole of it, so parts that the engine does not set
 * are copied from `existing` (`docs/extend/backend.md#sessions`, 3).
 */
export function configFor(spec: SessionSpec, existing: SessionConfig = {}): SessionConfig {
  const noweb = Section.parse(existing['noweb']);
  return {
    ...existing,
    metadata: { ...Section.parse(existing['metadata']), sessionId: spec.sessionId },
    webhooks: [{ url: spec.webhookUrl, events: [...spec.events], hmac: { key: spec.webhookSecret }, retries: RETRIES }],
    // Without its store NOWEB answers every chat read with nothing, and an uncertain send could not be settled.
    noweb: { ...noweb, store: { fullSync: false, ...Section.parse(noweb['store']), enabled: true } },
    // Without this setting WEBJS reports no group acks.
    webjs: { ...Section.parse(existing['webjs']), tagsEventsOn: true },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}

/** Returns the engine's id of the session, or null for a session that was made by another program. */
export function sessionIdOf(existing: SessionConfig): string | null {
  return Text.parse(Section.parse(existing['metadata'])['sessionId']);
}

/** Tells whether the session hears what the previous release asked for, and so lacks what is new. */
export function hearsFormer({ events, formerEvents = events }: SessionSpec, existing: SessionConfig): boolean {
  const [webhook] = Webhooks.parse(existing['webhooks']);
  return webhook !== undefined && !isSame(events, webhook.events) && isSame(formerEvents, webhook.events);
}

/** Tells whether the webhook differs. No other difference is worth a PUT, because that restarts a running session. */
export function webhookDiffers(spec: SessionSpec, existing: SessionConfig): boolean {
  const webhooks = Webhooks.parse(existing['webhooks']);
  const webhook = webhooks[0];
  if (webhook === undefined || webhooks.length > 1) return true;
  return (
    webhook.url !== spec.webhookUrl ||
    ![spec.webhookSecret, spec.formerWebhookSecret ?? spec.webhookSecret].includes(webhook.hmac?.key ?? '') ||
    ![spec.events, spec.formerEvents ?? spec.events].some((events) => isSame(events, webhook.events)) ||
    webhook.retries?.policy !== RETRIES.policy ||
    webhook.retries.delaySeconds !== RETRIES.delaySeconds ||
    webhook.retries.attempts !== RETRIES.attempts
  );
}
