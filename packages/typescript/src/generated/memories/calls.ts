// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { MemoriesListAnswer, Memory } from './answered.ts';
import type { CreateMemory, MemoriesDeleteQuery, MemoriesListQuery } from './given.ts';

export class MemoriesCalls extends Resource {
  /** List facts about a contact or the tenant */
  list(query: MemoriesListQuery = {}, options?: CallOptions): Listed<MemoriesListAnswer, Memory> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/memories', query, takes: 'tenant' },
      (page) => page.memories,
      options,
    );
  }

  /** Add a fact about a contact or tenant */
  create(body: CreateMemory, options?: CallOptions): Promise<Memory> {
    return this.caller.call({ method: 'POST', path: '/api/v1/memories', body, takes: 'tenant', keyed: true }, options);
  }

  /** Delete a fact */
  delete(id: string, query: MemoriesDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/memories/${id}`, query, takes: 'tenant' },
      options,
    );
  }
}
