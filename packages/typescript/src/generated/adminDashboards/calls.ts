// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  AdminDashboardsListAnswer,
  AdminDashboardsListSessionsAnswer,
  DashboardDetails,
  DashboardOverview,
  DashboardSwitched,
} from './answered.ts';
import type {
  AdminDashboardsActivateQuery,
  AdminDashboardsListQuery,
  AdminDashboardsListSessionsQuery,
  AdminDashboardsSuspendQuery,
  SwitchDashboard,
} from './given.ts';
import type { SessionStatus } from '../shared/answered-2.ts';

export class AdminDashboardsCalls extends Resource {
  /** List the registered dashboards */
  list(
    query: AdminDashboardsListQuery = {},
    options?: CallOptions,
  ): Listed<AdminDashboardsListAnswer, DashboardOverview> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/admin/dashboards', query },
      (page) => page.dashboards,
      options,
    );
  }

  /** Read a dashboard and what waits there */
  read(agencyId: string, options?: CallOptions): Promise<DashboardDetails> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/admin/dashboards/${agencyId}` }, options);
  }

  /** List the sessions of a dashboard */
  listSessions(
    agencyId: string,
    query: AdminDashboardsListSessionsQuery = {},
    options?: CallOptions,
  ): Listed<AdminDashboardsListSessionsAnswer, SessionStatus> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/admin/dashboards/${agencyId}/sessions`, query },
      (page) => page.sessions,
      options,
    );
  }

  /** Suspend a dashboard */
  suspend(
    agencyId: string,
    input: SwitchDashboard & AdminDashboardsSuspendQuery = {},
    options?: CallOptions,
  ): Promise<DashboardSwitched> {
    const { dryRun, ...body } = input;
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/admin/dashboards/${agencyId}/suspend`, query: { dryRun }, body, once: true },
      options,
    );
  }

  /** Activate a suspended dashboard */
  activate(
    agencyId: string,
    input: SwitchDashboard & AdminDashboardsActivateQuery = {},
    options?: CallOptions,
  ): Promise<DashboardSwitched> {
    const { dryRun, ...body } = input;
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/admin/dashboards/${agencyId}/activate`,
        query: { dryRun },
        body,
        once: true,
      },
      options,
    );
  }
}
