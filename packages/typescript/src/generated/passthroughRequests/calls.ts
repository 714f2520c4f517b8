// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { PassedRequest, PassthroughRequestsListAnswer } from './answered.ts';
import type { PassthroughRequestsListQuery } from './given.ts';

export class PassthroughRequestsCalls extends Resource {
  /** List passthrough requests */
  list(
    query: PassthroughRequestsListQuery = {},
    options?: CallOptions,
  ): Listed<PassthroughRequestsListAnswer, PassedRequest> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/passthrough/requests', query, takes: 'tenant' },
      (page) => page.requests,
      options,
    );
  }
}
