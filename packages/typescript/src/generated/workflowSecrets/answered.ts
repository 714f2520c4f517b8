// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An agency's secret, without its value. */
export interface WorkflowSecret {
  /** The name by which definitions use it. */
  name: string;
  /** The only host that receives it, with its port unless it is 443. */
  host: string;
  /** When it was last set. */
  updatedAt: string;
}

export interface WorkflowSecretsListAnswer {
  /** The names of all secrets, in order. */
  secrets: WorkflowSecret[];
}
