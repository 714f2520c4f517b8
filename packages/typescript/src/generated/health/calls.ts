// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { HealthReadAnswer } from './answered.ts';

export class HealthCalls extends Resource {
  /** Check whether the engine works */
  read(options?: CallOptions): Promise<HealthReadAnswer> {
    return this.caller.call({ method: 'GET', path: '/api/v1/status' }, options);
  }
}
