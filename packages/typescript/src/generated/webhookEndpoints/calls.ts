// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { WebhookEndpoint } from '../shared/answered-2.ts';
import type {
  WebhookEndpointChanged,
  WebhookEndpointCreated,
  WebhookEndpointDetail,
  WebhookEndpointResumed,
  WebhookEndpointStatistics,
  WebhookEndpointsListAnswer,
  WebhookEndpointsTestAnswer,
  WebhookReplayed,
  WebhookSecretRotated,
} from './answered.ts';
import type {
  CreateWebhookEndpoint,
  PauseWebhookEndpoint,
  ResumeWebhookEndpoint,
  RotateWebhookSecret,
  TestWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpointsDeleteQuery,
  WebhookEndpointsListQuery,
  WebhookEndpointsReadQuery,
  WebhookEndpointsReadStatisticsQuery,
  WebhookReplaySpan,
} from './given.ts';

export class WebhookEndpointsCalls extends Resource {
  /** Create a webhook endpoint */
  create(body: CreateWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointCreated> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/webhooks/endpoints', body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** List webhook endpoints */
  list(
    query: WebhookEndpointsListQuery = {},
    options?: CallOptions,
  ): Listed<WebhookEndpointsListAnswer, WebhookEndpoint> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/webhooks/endpoints', query, takes: 'tenant' },
      (page) => page.endpoints,
      options,
    );
  }

  /** Read a webhook endpoint and its health */
  read(id: string, query: WebhookEndpointsReadQuery = {}, options?: CallOptions): Promise<WebhookEndpointDetail> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/webhooks/endpoints/${id}`, query, takes: 'agency' },
      options,
    );
  }

  /** Update a webhook endpoint */
  update(id: string, body: UpdateWebhookEndpoint = {}, options?: CallOptions): Promise<WebhookEndpointChanged> {
    return this.caller.call(
      { method: 'PATCH', path: path`/api/v1/webhooks/endpoints/${id}`, body, takes: 'agency', once: true },
      options,
    );
  }

  /** Delete a webhook endpoint */
  delete(id: string, query: WebhookEndpointsDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/webhooks/endpoints/${id}`, query, takes: 'agency' },
      options,
    );
  }

  /** Read a webhook endpoint's last 24 hours */
  readStatistics(
    id: string,
    query: WebhookEndpointsReadStatisticsQuery = {},
    options?: CallOptions,
  ): Promise<WebhookEndpointStatistics> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/webhooks/endpoints/${id}/statistics`, query, takes: 'agency' },
      options,
    );
  }

  /** Rotate the secret of a webhook endpoint */
  rotateSecret(id: string, body: RotateWebhookSecret = {}, options?: CallOptions): Promise<WebhookSecretRotated> {
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/webhooks/endpoints/${id}/rotate-secret`,
        body,
        takes: 'agency',
        keyed: true,
      },
      options,
    );
  }

  /** Pause a webhook endpoint */
  pause(id: string, body: PauseWebhookEndpoint = {}, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/endpoints/${id}/pause`, body, takes: 'agency', once: true },
      options,
    );
  }

  /** Resume a webhook endpoint */
  resume(id: string, body: ResumeWebhookEndpoint = {}, options?: CallOptions): Promise<WebhookEndpointResumed> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/endpoints/${id}/resume`, body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Send a webhook endpoint a test event */
  test(id: string, body: TestWebhookEndpoint = {}, options?: CallOptions): Promise<WebhookEndpointsTestAnswer> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/endpoints/${id}/test`, body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Retry deliveries that used up their attempts */
  recover(id: string, body: WebhookReplaySpan, options?: CallOptions): Promise<WebhookReplayed> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/endpoints/${id}/recover`, body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Replay all events of a time span */
  replay(id: string, body: WebhookReplaySpan, options?: CallOptions): Promise<WebhookReplayed> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/webhooks/endpoints/${id}/replay`, body, takes: 'agency', keyed: true },
      options,
    );
  }
}
