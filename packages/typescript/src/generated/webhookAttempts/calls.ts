// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { WebhookAttempt, WebhookAttemptsListAnswer } from './answered.ts';
import type { WebhookAttemptsListQuery } from './given.ts';

export class WebhookAttemptsCalls extends Resource {
  /** List attempts */
  list(query: WebhookAttemptsListQuery = {}, options?: CallOptions): Listed<WebhookAttemptsListAnswer, WebhookAttempt> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/attempts', query, takes: 'tenant' },
      (page) => page.attempts,
      options,
    );
  }
}
