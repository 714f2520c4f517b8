import { z } from 'zod';

export const EVENTS = [
  'session.status',
  'message',
  'message.any',
  'message.reaction',
  'message.ack',
  'message.ack.group',
  'message.waiting',
  'message.edited',
  'message.revoked',
  'presence.update',
  'chat.archive',
  'poll.vote',
  'poll.vote.failed',
  'label.upsert',
  'label.deleted',
  'label.chat.added',
  'label.chat.deleted',
  'call.received',
  'call.accepted',
  'call.rejected',
  'group.v2.join',
  'group.v2.leave',
  'group.v2.participants',
  'group.v2.update',
  'event.response',
  'event.response.failed',
  'engine.event',
  'group.join',
  'group.leave',
  'state.change',
  '*',
] as const;

export const WebhookConfig = z.looseObject({
  url: z.string().regex(/^https?:\/\//, 'url must be a URL address with http or https protocol'),
  events: z.array(
    z.enum(EVENTS, { error: `each value in events must be one of the following values: ${EVENTS.join(', ')}` }),
  ),
  hmac: z.object({ key: z.string().nullish() }).nullish(),
  retries: z
    .object({
      policy: z.enum(['linear', 'exponential', 'constant']).nullish(),
      delaySeconds: z.number().min(0).nullish(),
      attempts: z.number().int().min(0).nullish(),
    })
    .nullish(),
  customHeaders: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});
export type WebhookConfig = z.infer<typeof WebhookConfig>;

/** The configuration of a session. Unknown parts are kept and shown again, as by the real backend. */
export const SessionConfig = z.looseObject({
  metadata: z.record(z.string(), z.string()).nullish(),
  webhooks: z.array(WebhookConfig).nullish(),
  noweb: z.looseObject({ store: z.looseObject({ enabled: z.boolean().nullish() }).nullish() }).nullish(),
  webjs: z.looseObject({ tagsEventsOn: z.boolean().nullish() }).nullish(),
});
export type SessionConfig = z.infer<typeof SessionConfig>;
