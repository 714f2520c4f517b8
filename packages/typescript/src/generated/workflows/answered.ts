// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A workflow that an agency has defined. */
export interface Workflow {
  /** The id of an agency's workflow. */
  id: string;
  /** The name under which tenants switch it on with `PUT /api/v1/automations/:automation`. */
  automation: string;
  /** The definition's title. */
  title: string;
  /** Increases with each change of the definition. */
  version: number;
  /** Whether the text is JSON or YAML. */
  form: 'json' | 'yaml';
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** The result of a check. Nothing is stored. */
export interface WorkflowCheck {
  /** True if it has no problem. */
  valid: boolean;
  /** The problems. Empty for a valid definition. */
  problems: {
    /** The place in the definition, as a JSON pointer. */
    pointer: string;
    /** The problem. */
    message: string;
  }[];
  /** The JSON Schema of the parameters that a tenant sets. Null with problems. */
  params: Record<string, unknown> | null;
}

/** An agency's workflow with its text and versions. */
export interface WorkflowStory {
  /** The id of an agency's workflow. */
  id: string;
  /** The name under which tenants switch it on with `PUT /api/v1/automations/:automation`. */
  automation: string;
  /** The definition's title. */
  title: string;
  /** Increases with each change of the definition. */
  version: number;
  /** Whether the text is JSON or YAML. */
  form: 'json' | 'yaml';
  /** When it was created. */
  createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** The text of the current version. Create a workflow with it to import it. */
  source: string;
  /** The definition of the current version as JSON, also if its text is YAML. */
  definition: Record<string, unknown>;
  /** The JSON Schema of the parameters that a tenant sets. */
  params: Record<string, unknown>;
  /** The number of tenants that have switched it on. */
  tenants: number;
  /** The last hundred versions, newest first. */
  versions: {
    /** Increases with each change of the definition. */
    version: number;
    /** The definition's title. */
    title: string;
    /** When it was stored. */
    createdAt: string;
    /** The API key that stored it. */
    keyId: string | null;
  }[];
}

/** A function that a task of a workflow can call. */
export interface WorkflowFunction {
  /** The name that `call` uses. */
  name: string;
  /** Its title. */
  title: string;
  /** Its purpose. */
  summary: string;
  /** Whether a person notices it (`visible`), nobody does (`silent`), it takes time (`wait`), or it reaches another system (`call`). */
  kind: 'visible' | 'silent' | 'wait' | 'call';
  /** The JSON Schema of its arguments. */
  input: Record<string, unknown>;
  /** The JSON Schema of its output. */
  output: Record<string, unknown>;
}

/** An event that can start a workflow. */
export interface WorkflowTrigger {
  /** The `type` of the event. */
  type: string;
  /** The JSON Schema of its filters. */
  filters: Record<string, unknown>;
}

/** A workflow that comes with the engine. */
export interface WorkflowTemplate {
  /** Its name. */
  name: string;
  /** Its title. */
  title: string;
  /** Its purpose. */
  summary: string;
  /** The definition as YAML. */
  source: string;
}

/** The address of a tenant's workflow, with its secret. */
export interface WorkflowHook {
  /** The address. Another system posts to it. */
  url: string;
  /** The secret, which only this response has. Send it as `Authorization: Bearer`. */
  secret: string;
}

/** The run that the event started. */
export interface WorkflowStarted {
  /** The id of an execution. */
  executionId: string;
  /** False if the key had started it before. */
  isNew: boolean;
}

export interface WorkflowsListAnswer {
  /** The workflows of this page, the oldest first. */
  workflows: Workflow[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface WorkflowsListFunctionsAnswer {
  /** All functions. */
  functions: WorkflowFunction[];
  /** All events that can start a workflow. */
  triggers: WorkflowTrigger[];
}

export interface WorkflowsListTemplatesAnswer {
  /** All templates. */
  templates: WorkflowTemplate[];
}
