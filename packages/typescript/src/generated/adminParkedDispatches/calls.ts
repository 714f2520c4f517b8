// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { AdminParkedDispatchesListAnswer, ParkedDispatch } from './answered.ts';
import type { AdminParkedDispatchesListQuery } from './given.ts';

export class AdminParkedDispatchesCalls extends Resource {
  /** List work that Temporal refused permanently */
  list(
    query: AdminParkedDispatchesListQuery = {},
    options?: CallOptions,
  ): Listed<AdminParkedDispatchesListAnswer, ParkedDispatch> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/admin/parked-dispatches', query },
      (page) => page.dispatches,
      options,
    );
  }

  /** Retry work that Temporal refused */
  retry(id: string, options?: CallOptions): Promise<ParkedDispatch> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/admin/parked-dispatches/${id}/retry`, once: true },
      options,
    );
  }
}
