// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { WebhookNotice, WebhookNoticesListAllAnswer, WebhookNoticesListAnswer } from './answered.ts';
import type { WebhookNoticesListAllQuery, WebhookNoticesListQuery } from './given.ts';

export class WebhookNoticesCalls extends Resource {
  /** List what was to be told of the webhook endpoints of an agency */
  list(query: WebhookNoticesListQuery = {}, options?: CallOptions): Listed<WebhookNoticesListAnswer, WebhookNotice> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/notices', query, takes: 'agency' },
      (page) => page.notices,
      options,
    );
  }

  /** List what agencies were told of their webhook endpoints */
  listAll(
    query: WebhookNoticesListAllQuery = {},
    options?: CallOptions,
  ): Listed<WebhookNoticesListAllAnswer, WebhookNotice> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/admin/notices', query, takes: 'agency' },
      (page) => page.notices,
      options,
    );
  }
}
