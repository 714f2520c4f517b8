// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Rehearsal } from './answered.ts';
import type { AgentRehearsalsReadQuery, Rehearse } from './given.ts';

export class AgentRehearsalsCalls extends Resource {
  /** Rehearse one or two personas without sending */
  create(body: Rehearse = {}, options?: CallOptions): Promise<Rehearsal> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/ai/rehearse', body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** Read a rehearsal */
  read(id: string, query: AgentRehearsalsReadQuery = {}, options?: CallOptions): Promise<Rehearsal> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/ai/rehearsals/${id}`, query, takes: 'tenant' },
      options,
    );
  }
}
