// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  ConsoleLink,
  ConsoleLinkCreated,
  ConsoleLinksListAnswer,
  ConsoleLinksRevokeOfKeyAnswer,
} from './answered.ts';
import type {
  ConsoleLinksListQuery,
  ConsoleLinksRevokeOfKeyQuery,
  ConsoleLinksRevokeQuery,
  CreateConsoleLink,
} from './given.ts';

export class ConsoleLinksCalls extends Resource {
  /** Create a console link */
  create(body: CreateConsoleLink, options?: CallOptions): Promise<ConsoleLinkCreated> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/console/links', body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** List console links */
  list(query: ConsoleLinksListQuery = {}, options?: CallOptions): Listed<ConsoleLinksListAnswer, ConsoleLink> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/console/links', query, takes: 'tenant' },
      (page) => page.links,
      options,
    );
  }

  /** Revoke all console links of a key */
  revokeOfKey(query: ConsoleLinksRevokeOfKeyQuery, options?: CallOptions): Promise<ConsoleLinksRevokeOfKeyAnswer> {
    return this.caller.call({ method: 'DELETE', path: '/api/v1/console/links', query, takes: 'agency' }, options);
  }

  /** Revoke a console link */
  revoke(id: string, query: ConsoleLinksRevokeQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/console/links/${id}`, query, takes: 'agency' },
      options,
    );
  }
}
