// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { SessionEndpointPut, SessionWebhooksListAnswer } from './answered.ts';
import type { PutSessionEndpoint, SessionWebhooksDeleteQuery, SessionWebhooksListQuery } from './given.ts';
import type { WebhookEndpoint } from '../shared/answered-2.ts';

export class SessionWebhooksCalls extends Resource {
  /** Post a session's events to a URL */
  put(id: string, body: PutSessionEndpoint, options?: CallOptions): Promise<SessionEndpointPut> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/sessions/${id}/webhooks`, body, takes: 'tenant' },
      options,
    );
  }

  /** List the endpoints of a session */
  list(
    id: string,
    query: SessionWebhooksListQuery = {},
    options?: CallOptions,
  ): Listed<SessionWebhooksListAnswer, WebhookEndpoint> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/sessions/${id}/webhooks`, query, takes: 'tenant' },
      (page) => page.endpoints,
      options,
    );
  }

  /** Stop posting a session's events to a URL */
  delete(id: string, endpointId: string, query: SessionWebhooksDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/sessions/${id}/webhooks/${endpointId}`, query, takes: 'tenant' },
      options,
    );
  }
}
