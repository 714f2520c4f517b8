// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An agency's workflow. */
export interface WriteWorkflow {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The definition: an object, or its text. The guide 'Workflows' describes the language. */
  definition: Record<string, unknown> | string;
  /** For a text: whether it is JSON or YAML. Defaults to `json`. */
  form?: 'json' | 'yaml' | undefined;
}

/** A new version of an agency's workflow. */
export interface ChangeWorkflow {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The definition: an object, or its text. The guide 'Workflows' describes the language. */
  definition: Record<string, unknown> | string;
  /** For a text: whether it is JSON or YAML. Defaults to `json`. */
  form?: 'json' | 'yaml' | undefined;
  /** The version that you have changed. The request is refused if a newer one is stored. */
  basedOn?: number | undefined;
}

/** The agency of the workflow. */
export interface CopyWorkflow {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

/** The tenant. */
export interface MakeWorkflowHook {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

/** An event of another system. */
export interface PostToWorkflow {
  /** The contact: a phone number in any spelling, or a chat id. */
  to: string;
  /** Your own key of the event, such as the id of a cart. A key starts one run. */
  key: string;
  /** The account that writes, by id or name. If omitted, the tenant's default. */
  session?: string | undefined;
  /** The data of the event, which the workflow reads as `input`. Defaults to `{}`. */
  data?: Record<string, unknown> | undefined;
}

export interface WorkflowsListQuery {
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowsDeleteQuery {
  /** Whether runs in progress end before their next step, or continue to their end. */
  runs?: 'end' | 'finish' | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowsCopyQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowsListFunctionsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowsListTemplatesQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowsMakeHookQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface WorkflowsDeleteHookQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
