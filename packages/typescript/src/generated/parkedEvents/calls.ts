// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { ParkedEventsListAnswer } from './answered.ts';
import type { ParkedEventsListQuery } from './given.ts';
import type { ParkedEvent } from '../shared/answered-2.ts';

export class ParkedEventsCalls extends Resource {
  /** List parked events of the backend */
  list(query: ParkedEventsListQuery = {}, options?: CallOptions): Listed<ParkedEventsListAnswer, ParkedEvent> {
    return this.caller.list(
      { method: 'GET', path: '/v1/internal/backend/parked-events', query, psk: true },
      (page) => page.events,
      options,
    );
  }

  /** Apply a parked event of the backend */
  apply(id: string, options?: CallOptions): Promise<ParkedEvent> {
    return this.caller.call(
      { method: 'POST', path: path`/v1/internal/backend/parked-events/${id}/apply`, once: true, psk: true },
      options,
    );
  }
}
