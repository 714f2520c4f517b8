// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { WebhookNotice, WebhookNoticesListAllAnswer, WebhookNoticesListAnswer } from './answered.ts';
import type { WebhookNoticesListAllQuery, WebhookNoticesListQuery } from './given.ts';

export class WebhookNoticesCalls extends Resource {
  /** List notices about an agency's webhook endpoints */
  list(query: WebhookNoticesListQuery = {}, options?: CallOptions): Listed<WebhookNoticesListAnswer, WebhookNotice> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/notices', query, takes: 'agency' },
      (page) => page.notices,
      options,
    );
  }

  /** List notices about all agencies' webhook endpoints */
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
