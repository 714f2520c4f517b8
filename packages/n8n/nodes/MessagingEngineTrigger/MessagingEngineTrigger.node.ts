import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { delivery, isThere } from '../../engine/deliver.ts';
import type { EndpointState, Listed } from '../../engine/deliver.ts';
import { EVENT_PROPERTIES } from '../event-properties.ts';
import { ask, CREDENTIAL, isObject, sessionOf } from '../request.ts';
import type { Account } from '../request.ts';

export class MessagingEngineTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Engine Trigger',
    name: 'messagingEngineTrigger',
    icon: { light: 'file:../../icons/engine.svg', dark: 'file:../../icons/engine.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when the engine posts a signed event; the engine must reach n8n',
    defaults: { name: 'Messaging Engine Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'messagingEngineApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'events' }],
    properties: EVENT_PROPERTIES,
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const state: EndpointState = this.getWorkflowStaticData('node');
        const answer = await ask(this, {
          method: 'GET',
          path: pathOf(await requiredSession(this)),
          query: await target(this),
        });
        const listed = isObject(answer) && Array.isArray(answer['endpoints']) ? answer['endpoints'] : [];
        return isThere(listed as unknown as Listed[], state, { url: addressOf(this), events: eventsOf(this) });
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const session = await requiredSession(this);
        const url = addressOf(this);
        const { name = 'n8n' } = this.getWorkflow();
        const put = await ask(this, {
          method: 'PUT',
          path: pathOf(session),
          body: { url, events: eventsOf(this), description: `n8n: ${name}`.slice(0, 500), ...(await target(this)) },
        });
        if (!isObject(put) || typeof put['id'] !== 'string' || typeof put['secret'] !== 'string') {
          throw new NodeOperationError(this.getNode(), 'The engine has answered something else than an endpoint.');
        }
        if (put['status'] === 'paused') {
          throw new NodeOperationError(this.getNode(), 'The endpoint is paused: have it resumed in the dashboard.');
        }
        const state: EndpointState = { endpointId: put['id'], secret: put['secret'], session, url };
        Object.assign(this.getWorkflowStaticData('node'), state);
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const state: EndpointState = this.getWorkflowStaticData('node');
        const { endpointId, session } = state;
        if (endpointId === undefined || session === undefined) return true;
        const answer = await ask(this, { method: 'GET', path: pathOf(session), query: await target(this) });
        const listed =
          isObject(answer) && Array.isArray(answer['endpoints']) ? answer['endpoints'].filter(isObject) : [];
        // One that somebody has deleted is what is wanted.
        if (listed.some(({ id }) => id === endpointId)) {
          await ask(this, { method: 'DELETE', path: `${pathOf(session)}/${endpointId}`, query: await target(this) });
        }
        delete state.endpointId;
        delete state.secret;
        delete state.url;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    const kept: IDataObject & EndpointState = this.getWorkflowStaticData('node');
    const body = Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
    const came = delivery(kept, { headers: this.getHeaderData(), body, nowSeconds: Date.now() / 1_000 });
    if (came.outcome === 'refused') {
      this.getResponseObject().status(401).send('The signature does not fit.').end();
      return { noWebhookResponse: true };
    }
    if (came.outcome === 'repeated') return { webhookResponse: 'had' };
    Object.assign(kept, came.state);
    // Whoever presses the button in the engine sees in the log of attempts that it arrived; nobody is to be answered.
    const metadata = came.body['metadata'];
    if (isObject(metadata) && metadata['test'] === true) return { webhookResponse: 'tested' };
    return { workflowData: [this.helpers.returnJsonArray([JSON.parse(JSON.stringify(came.body))])] };
  }
}

const pathOf = (session: string): string => `/api/v1/sessions/${encodeURIComponent(session)}/webhooks`;

function addressOf(by: IHookFunctions): string {
  const url = by.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(by.getNode(), 'n8n has no address for the webhook.');
  // The engine stores addresses as they are requested, and the two are compared.
  return new URL(url).href;
}

function eventsOf(by: IHookFunctions): string[] {
  const events = by.getNodeParameter('events');
  return Array.isArray(events) ? events.map(String) : [];
}

async function target(by: IHookFunctions): Promise<{ tenantId?: string }> {
  const { tenantId } = await by.getCredentials<Account>(CREDENTIAL);
  return tenantId ? { tenantId } : {};
}

async function requiredSession(by: IHookFunctions): Promise<string> {
  const session = await sessionOf(by, String(by.getNodeParameter('session', '')));
  if (session !== undefined) return session;
  throw new NodeOperationError(by.getNode(), 'Fill in "Session": the key reaches several sessions, or none.');
}
