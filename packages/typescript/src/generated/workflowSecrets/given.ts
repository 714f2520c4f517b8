// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A secret for the HTTP requests of workflows. */
export interface SetWorkflowSecret {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The only host that receives it, with its port unless it is 443. */
  host: string;
  /** The secret. No request returns it. For `basic`, it is `user:password`. */
  value: string;
}

export interface WorkflowSecretsListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WorkflowSecretsDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
