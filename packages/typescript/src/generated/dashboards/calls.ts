// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { Dashboard, DashboardChanged, DashboardRegistered, DashboardsListAnswer } from './answered.ts';
import type {
  DashboardsListQuery,
  DashboardsReadQuery,
  DashboardsUpdateQuery,
  RegisterDashboard,
  UpdateDashboard,
} from './given.ts';

export class DashboardsCalls extends Resource {
  /** Register a dashboard */
  register(body: RegisterDashboard, options?: CallOptions): Promise<DashboardRegistered> {
    return this.caller.call(
      { method: 'POST', path: '/v1/internal/dashboard/register', body, takes: 'agency', keyed: true, psk: true },
      options,
    );
  }

  /** Read the configuration of a dashboard */
  read(query: DashboardsReadQuery, options?: CallOptions): Promise<Dashboard> {
    return this.caller.call(
      { method: 'GET', path: '/v1/internal/dashboard/config', query, takes: 'agency', psk: true },
      options,
    );
  }

  /** Update the configuration of a dashboard */
  update(input: UpdateDashboard & DashboardsUpdateQuery = {}, options?: CallOptions): Promise<DashboardChanged> {
    const { agencyId, ...body } = input;
    return this.caller.call(
      {
        method: 'PATCH',
        path: '/v1/internal/dashboard/config',
        query: { agencyId },
        body,
        takes: 'agency',
        once: true,
        psk: true,
      },
      options,
    );
  }

  /** List the agencies with their dashboards */
  list(query: DashboardsListQuery = {}, options?: CallOptions): Listed<DashboardsListAnswer, Dashboard> {
    return this.caller.list(
      { method: 'GET', path: '/v1/internal/dashboard/agencies', query, psk: true },
      (page) => page.agencies,
      options,
    );
  }
}
