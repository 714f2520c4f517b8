// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { AdminParkedEventsListAnswer } from './answered.ts';
import type { AdminParkedEventsListQuery } from './given.ts';
import type { ParkedEvent } from '../shared/answered-2.ts';

export class AdminParkedEventsCalls extends Resource {
  /** List parked events of the backend */
  list(
    query: AdminParkedEventsListQuery = {},
    options?: CallOptions,
  ): Listed<AdminParkedEventsListAnswer, ParkedEvent> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/admin/parked-events', query },
      (page) => page.events,
      options,
    );
  }

  /** Apply a parked event of the backend */
  apply(id: string, options?: CallOptions): Promise<ParkedEvent> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/admin/parked-events/${id}/apply`, once: true },
      options,
    );
  }
}
