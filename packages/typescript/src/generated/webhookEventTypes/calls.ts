// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { WebhookEventKind, WebhookEventTypesListAnswer } from './answered.ts';

export class WebhookEventTypesCalls extends Resource {
  /** List event types with their schemas and examples */
  list(options?: CallOptions): Listed<WebhookEventTypesListAnswer, WebhookEventKind> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/event-types' },
      (page) => page.eventTypes,
      options,
    );
  }
}
