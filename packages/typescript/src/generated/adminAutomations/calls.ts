// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { AdminAutomationsListAnswer, AutomationStops } from './answered.ts';
import type { SwitchAutomations } from './given.ts';

export class AdminAutomationsCalls extends Resource {
  /** List agencies whose automations are stopped */
  list(options?: CallOptions): Listed<AdminAutomationsListAnswer, AdminAutomationsListAnswer['stops'][number]> {
    return this.caller.list({ method: 'GET', path: '/api/v1/admin/automations' }, (page) => page.stops, options);
  }

  /** Stop the automations of an agency, or all */
  stop(body: SwitchAutomations = {}, options?: CallOptions): Promise<AutomationStops> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/admin/automations/stop', body, takes: 'agency', once: true },
      options,
    );
  }

  /** Restart the automations of an agency, or all */
  resume(body: SwitchAutomations = {}, options?: CallOptions): Promise<AutomationStops> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/admin/automations/resume', body, takes: 'agency', once: true },
      options,
    );
  }
}
