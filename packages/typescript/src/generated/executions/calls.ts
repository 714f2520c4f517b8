// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { EngineExecution, ExecutionsListAnswer } from './answered.ts';
import type { ExecutionsListQuery } from './given.ts';

export class ExecutionsCalls extends Resource {
  /** List the engine's work for a tenant */
  list(query: ExecutionsListQuery = {}, options?: CallOptions): Listed<ExecutionsListAnswer, EngineExecution> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/executions', query, takes: 'tenant' },
      (page) => page.executions,
      options,
    );
  }
}
