import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow';
import { idempotencyKey } from '../../engine/idempotency-key.ts';
import { choicesOf, LISTS, requestOf, rowsOf } from '../../engine/operations.ts';
import { operationOf } from '../../engine/resources.ts';
import { ask, CREDENTIAL, isObject } from '../request.ts';
import type { Account } from '../request.ts';
import { parameterOf, PROPERTIES } from './properties.ts';

export class MessagingEngine implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Engine',
    name: 'messagingEngine',
    icon: { light: 'file:../../icons/engine.svg', dark: 'file:../../icons/engine.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Send messages and work with conversations, sessions, memories and automations',
    defaults: { name: 'Messaging Engine' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'messagingEngineApi', required: true }],
    properties: PROPERTIES,
  };

  /** The choices of the fields whose `listed` names them. */
  methods = {
    loadOptions: {
      async workflows(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { tenantId } = await this.getCredentials<Account>(CREDENTIAL);
        const query = tenantId ? { tenantId } : {};
        return choicesOf(await ask(this, { method: 'GET', path: LISTS.workflows, query }));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const execution = firstExecution(this);
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        const rows = await perform(this, item, execution);
        results.push(...rows.map((json) => ({ json, pairedItem: { item } })));
      } catch (error) {
        if (!this.continueOnFail()) throw asNodeError(this, error, item);
        results.push({ json: { error: error instanceof Error ? error.message : String(error) }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

function asNodeError(by: IExecuteFunctions, error: unknown, itemIndex: number): Error {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  return new NodeOperationError(by.getNode(), error instanceof Error ? error : String(error), { itemIndex });
}

async function perform(by: IExecuteFunctions, item: number, execution: string) {
  const name = String(by.getNodeParameter('operation', item));
  const operation = operationOf(String(by.getNodeParameter('resource', item)), name);
  const { tenantId } = await by.getCredentials<Account>(CREDENTIAL, item);
  const values: Record<string, unknown> = Object.fromEntries(
    operation.fields.map((field) => [field.name, by.getNodeParameter(parameterOf(name, field), item, '')]),
  );
  const file = operation.fields.find((field) => field.in === 'file');
  if (file) values[file.name] = await fileId(by, { field: String(values[file.name]), url: values['url'] }, item);
  const { keyed, method, path, query, body } = requestOf(operation, values, tenantId);
  const place = {
    instance: by.getInstanceId(),
    workflow: String(by.getWorkflow().id),
    execution,
    node: by.getNode().id,
    run: Number(by.evaluateExpression('{{ $runIndex }}', item)),
    item,
  };
  try {
    const answer = await ask(
      by,
      {
        method,
        path,
        query: Object.fromEntries(Object.entries(query)),
        ...(method === 'POST' ? { body: JSON.parse(JSON.stringify(body)) } : {}),
        headers: keyed ? { 'Idempotency-Key': idempotencyKey(place) } : {},
      },
      item,
    );
    return rowsOf(operation, answer).filter(isObject);
  } catch (error) {
    throw new NodeApiError(by.getNode(), error as JsonObject, { itemIndex: item });
  }
}

/** Uploads the file of the item, and answers its id, which is the same when the item is tried again. */
async function fileId(
  by: IExecuteFunctions,
  { field, url }: { field: string; url: unknown },
  item: number,
): Promise<unknown> {
  if ((field === '') === (url === '')) {
    throw new NodeOperationError(by.getNode(), 'Fill in "Input Data Field Name" or "URL".', { itemIndex: item });
  }
  if (field === '') return undefined;
  const { mimeType, fileName = '' } = by.helpers.assertBinaryData(item, field);
  const { tenantId } = await by.getCredentials<Account>(CREDENTIAL, item);
  try {
    const uploaded = await ask(
      by,
      {
        method: 'POST',
        path: '/api/v1/files',
        query: { ...(tenantId ? { tenantId } : {}), ...(fileName === '' ? {} : { fileName }) },
        body: await by.helpers.getBinaryDataBuffer(item, field),
        headers: { 'Content-Type': mimeType },
      },
      item,
    );
    return isObject(uploaded) ? uploaded['fileId'] : undefined;
  } catch (error) {
    throw new NodeApiError(by.getNode(), error as JsonObject, { itemIndex: item });
  }
}

const KEPT = 'messagingEngineExecution';

/**
 * The execution by which requests are known. Somebody who retries a failed execution gets one with another id, and n8n
 * gives it what the first one has kept: so what the first has sent is not sent again.
 */
function firstExecution(by: IExecuteFunctions): string {
  const kept: unknown = by.customData.get(KEPT);
  if (typeof kept === 'string' && kept !== '') return kept;
  const own = by.getExecutionId();
  by.customData.set(KEPT, own);
  return own;
}
