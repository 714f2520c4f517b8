// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Workflow,
  WorkflowCheck,
  WorkflowFunction,
  WorkflowHook,
  WorkflowStarted,
  WorkflowStory,
  WorkflowTemplate,
  WorkflowsListAnswer,
  WorkflowsListFunctionsAnswer,
  WorkflowsListTemplatesAnswer,
} from './answered.ts';
import type {
  ChangeWorkflow,
  CopyWorkflow,
  MakeWorkflowHook,
  PostToWorkflow,
  WorkflowsCopyQuery,
  WorkflowsDeleteHookQuery,
  WorkflowsDeleteQuery,
  WorkflowsListFunctionsQuery,
  WorkflowsListQuery,
  WorkflowsListTemplatesQuery,
  WorkflowsMakeHookQuery,
  WorkflowsReadQuery,
  WriteWorkflow,
} from './given.ts';

export class WorkflowsCalls extends Resource {
  /** List an agency's workflows */
  list(query: WorkflowsListQuery = {}, options?: CallOptions): Listed<WorkflowsListAnswer, Workflow> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/workflows', query, takes: 'agency' },
      (page) => page.workflows,
      options,
    );
  }

  /** Create a workflow */
  create(body: WriteWorkflow, options?: CallOptions): Promise<Workflow> {
    return this.caller.call({ method: 'POST', path: '/api/v1/workflows', body, takes: 'agency', keyed: true }, options);
  }

  /** Check the definition of a workflow */
  validate(body: WriteWorkflow, options?: CallOptions): Promise<WorkflowCheck> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/workflows/validate', body, takes: 'agency', once: true },
      options,
    );
  }

  /** Read a workflow with its text and versions */
  read(id: string, query: WorkflowsReadQuery = {}, options?: CallOptions): Promise<WorkflowStory> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/workflows/${id}`, query, takes: 'agency' }, options);
  }

  /** Store a new version of a workflow */
  update(id: string, body: ChangeWorkflow, options?: CallOptions): Promise<Workflow> {
    return this.caller.call({ method: 'PUT', path: path`/api/v1/workflows/${id}`, body, takes: 'agency' }, options);
  }

  /** Delete a workflow */
  delete(id: string, query: WorkflowsDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/workflows/${id}`, query, takes: 'agency' },
      options,
    );
  }

  /** Copy a workflow */
  copy(id: string, input: CopyWorkflow & WorkflowsCopyQuery = {}, options?: CallOptions): Promise<Workflow> {
    const { agencyId, ...body } = input;
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/workflows/${id}/copy`,
        query: { agencyId },
        body,
        takes: 'agency',
        keyed: true,
      },
      options,
    );
  }

  /** List functions and triggers of workflows */
  listFunctions(
    query: WorkflowsListFunctionsQuery = {},
    options?: CallOptions,
  ): Listed<WorkflowsListFunctionsAnswer, WorkflowFunction> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/workflow-functions', query, takes: 'agency' },
      (page) => page.functions,
      options,
    );
  }

  /** List workflows to copy and change */
  listTemplates(
    query: WorkflowsListTemplatesQuery = {},
    options?: CallOptions,
  ): Listed<WorkflowsListTemplatesAnswer, WorkflowTemplate> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/workflow-templates', query, takes: 'agency' },
      (page) => page.templates,
      options,
    );
  }

  /** Make the webhook address of a workflow */
  makeHook(
    automation: string,
    input: MakeWorkflowHook & WorkflowsMakeHookQuery = {},
    options?: CallOptions,
  ): Promise<WorkflowHook> {
    const { agencyId, tenantId, ...body } = input;
    return this.caller.call(
      {
        method: 'POST',
        path: path`/api/v1/automations/${automation}/hook`,
        query: { agencyId, tenantId },
        body,
        takes: 'tenant',
        keyed: true,
      },
      options,
    );
  }

  /** Delete the webhook address of a workflow */
  deleteHook(automation: string, query: WorkflowsDeleteHookQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/automations/${automation}/hook`, query, takes: 'tenant' },
      options,
    );
  }

  /** Start a workflow from another system */
  post(id: string, body: PostToWorkflow, options?: CallOptions): Promise<WorkflowStarted> {
    return this.caller.call({ method: 'POST', path: path`/hooks/${id}`, body, once: true }, options);
  }
}
