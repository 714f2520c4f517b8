// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { WorkflowSecret, WorkflowSecretsListAnswer } from './answered.ts';
import type { SetWorkflowSecret, WorkflowSecretsDeleteQuery, WorkflowSecretsListQuery } from './given.ts';

export class WorkflowSecretsCalls extends Resource {
  /** List an agency's workflow secrets */
  list(query: WorkflowSecretsListQuery = {}, options?: CallOptions): Listed<WorkflowSecretsListAnswer, WorkflowSecret> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/workflow-secrets', query, takes: 'agency' },
      (page) => page.secrets,
      options,
    );
  }

  /** Set a workflow secret */
  set(name: string, body: SetWorkflowSecret, options?: CallOptions): Promise<WorkflowSecret> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/workflow-secrets/${name}`, body, takes: 'agency' },
      options,
    );
  }

  /** Delete a workflow secret */
  delete(name: string, query: WorkflowSecretsDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/workflow-secrets/${name}`, query, takes: 'agency' },
      options,
    );
  }
}
