// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { EventStream, EventStreamsListAnswer } from './answered.ts';
import type { EventStreamsEndQuery, EventStreamsListQuery } from './given.ts';

export class EventStreamsCalls extends Resource {
  /** List open event streams */
  list(query: EventStreamsListQuery = {}, options?: CallOptions): Listed<EventStreamsListAnswer, EventStream> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/events/streams', query, takes: 'tenant' },
      (page) => page.streams,
      options,
    );
  }

  /** End an event stream */
  end(id: string, query: EventStreamsEndQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/events/streams/${id}`, query, takes: 'tenant' },
      options,
    );
  }
}
