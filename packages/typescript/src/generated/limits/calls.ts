// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { AgencyLimits } from './answered.ts';
import type { UpdateLimits } from './given.ts';

export class LimitsCalls extends Resource {
  /** Read an agency's limits */
  read(agencyId: string, options?: CallOptions): Promise<AgencyLimits> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/admin/dashboards/${agencyId}/limits` }, options);
  }

  /** Update an agency's limits */
  update(agencyId: string, body: UpdateLimits = {}, options?: CallOptions): Promise<AgencyLimits> {
    return this.caller.call(
      { method: 'PATCH', path: path`/api/v1/admin/dashboards/${agencyId}/limits`, body, once: true },
      options,
    );
  }
}
