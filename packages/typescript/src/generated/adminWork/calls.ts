// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { EngineWork } from './answered.ts';

export class AdminWorkCalls extends Resource {
  /** Read the waiting work of all tenants */
  read(options?: CallOptions): Promise<EngineWork> {
    return this.caller.call({ method: 'GET', path: '/api/v1/admin/engine-work' }, options);
  }
}
