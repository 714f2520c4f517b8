// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  AutomationsCancelByKeyAnswer,
  AutomationsListAnswer,
  AutomationsListDefaultsAnswer,
  AutomationsListDefinitionsAnswer,
  AutomationsListExecutionsAnswer,
  Execution,
  ExecutionStory,
} from './answered-2.ts';
import type {
  Automation,
  AutomationDefault,
  AutomationDefaultHistory,
  AutomationDefinition,
  AutomationDryRun,
  AutomationHistory,
} from './answered.ts';
import type {
  AutomationsCancelExecutionQuery,
  AutomationsFollowDefaultQuery,
  AutomationsHandOverExecutionQuery,
  AutomationsListDefaultsQuery,
  AutomationsListDefinitionsQuery,
  AutomationsListExecutionsQuery,
  AutomationsListQuery,
  AutomationsReadDefaultQuery,
  AutomationsReadExecutionQuery,
  AutomationsReadQuery,
  AutomationsRetryExecutionQuery,
  AutomationsSkipWaitQuery,
  CancelByKey,
  DryRunAutomation,
  HandOverExecution,
  RunAutomation,
  SetAutomation,
  SetAutomationDefault,
  SkipWait,
} from './given.ts';

export class AutomationsCalls extends Resource {
  /** List the available automations */
  listDefinitions(
    query: AutomationsListDefinitionsQuery = {},
    options?: CallOptions,
  ): Listed<AutomationsListDefinitionsAnswer, AutomationDefinition> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/automation-definitions', query, takes: 'tenant' },
      (page) => page.definitions,
      options,
    );
  }

  /** List a tenant's automation settings */
  list(query: AutomationsListQuery = {}, options?: CallOptions): Listed<AutomationsListAnswer, Automation> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/automations', query, takes: 'tenant' },
      (page) => page.automations,
      options,
    );
  }

  /** Read a tenant's setting of an automation */
  read(automation: string, query: AutomationsReadQuery = {}, options?: CallOptions): Promise<AutomationHistory> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/automations/${automation}`, query, takes: 'tenant' },
      options,
    );
  }

  /** Set an automation and its parameters */
  set(automation: string, body: SetAutomation, options?: CallOptions): Promise<Automation> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/automations/${automation}`, body, takes: 'tenant' },
      options,
    );
  }

  /** Reset an automation to the agency default */
  followDefault(
    automation: string,
    query: AutomationsFollowDefaultQuery = {},
    options?: CallOptions,
  ): Promise<Automation> {
    return this.caller.call(
      { method: 'DELETE', path: path`/api/v1/automations/${automation}`, query, takes: 'tenant' },
      options,
    );
  }

  /** List an agency's automation settings */
  listDefaults(
    query: AutomationsListDefaultsQuery = {},
    options?: CallOptions,
  ): Listed<AutomationsListDefaultsAnswer, AutomationDefault> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/automation-defaults', query, takes: 'agency' },
      (page) => page.defaults,
      options,
    );
  }

  /** Read an agency's setting of an automation */
  readDefault(
    automation: string,
    query: AutomationsReadDefaultQuery = {},
    options?: CallOptions,
  ): Promise<AutomationDefaultHistory> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/automation-defaults/${automation}`, query, takes: 'agency' },
      options,
    );
  }

  /** Set an automation for an agency's tenants */
  setDefault(automation: string, body: SetAutomationDefault, options?: CallOptions): Promise<AutomationDefault> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/automation-defaults/${automation}`, body, takes: 'agency' },
      options,
    );
  }

  /** Dry-run an automation on a conversation */
  dryRun(automation: string, body: DryRunAutomation = {}, options?: CallOptions): Promise<AutomationDryRun> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/automations/${automation}/dry-run`, body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Run an automation now for a conversation */
  run(body: RunAutomation, options?: CallOptions): Promise<Execution> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/automation-executions', body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** List the runs of automations */
  listExecutions(
    query: AutomationsListExecutionsQuery = {},
    options?: CallOptions,
  ): Listed<AutomationsListExecutionsAnswer, Execution> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/automation-executions', query, takes: 'tenant' },
      (page) => page.executions,
      options,
    );
  }

  /** Repeat an automation run from its start */
  retryExecution(id: string, query: AutomationsRetryExecutionQuery = {}, options?: CallOptions): Promise<Execution> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/automation-executions/${id}/retry`, query, takes: 'tenant', once: true },
      options,
    );
  }

  /** Read an automation run with its steps */
  readExecution(id: string, query: AutomationsReadExecutionQuery = {}, options?: CallOptions): Promise<ExecutionStory> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/automation-executions/${id}`, query, takes: 'tenant' },
      options,
    );
  }

  /** Cancel the run requested with a key */
  cancelByKey(body: CancelByKey, options?: CallOptions): Promise<AutomationsCancelByKeyAnswer> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/automation-executions/cancel', body, takes: 'tenant', once: true },
      options,
    );
  }

  /** Cancel a run of an automation */
  cancelExecution(id: string, query: AutomationsCancelExecutionQuery = {}, options?: CallOptions): Promise<Execution> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/automation-executions/${id}/cancel`, query, takes: 'tenant', once: true },
      options,
    );
  }

  /** Skip an automation run's current wait */
  skipWait(id: string, input: SkipWait & AutomationsSkipWaitQuery = {}, options?: CallOptions): Promise<Execution> {
    const { agencyId, tenantId, ...body } = input;
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/automation-executions/${id}/skip-wait`,
        query: { agencyId, tenantId },
        body,
        takes: 'tenant',
        once: true,
      },
      options,
    );
  }

  /** End a run and hand its conversation over */
  handOverExecution(
    id: string,
    input: HandOverExecution & AutomationsHandOverExecutionQuery = {},
    options?: CallOptions,
  ): Promise<Execution> {
    const { agencyId, tenantId, ...body } = input;
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/automation-executions/${id}/hand-over`,
        query: { agencyId, tenantId },
        body,
        takes: 'tenant',
        once: true,
      },
      options,
    );
  }
}
