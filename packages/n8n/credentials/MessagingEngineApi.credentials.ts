import type {
  Icon,
  ICredentialTestRequest,
  ICredentialDataDecryptedObject,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { withKey } from '../engine/own-address.ts';

export class MessagingEngineApi implements ICredentialType {
  name = 'messagingEngineApi';

  displayName = 'Messaging Engine API';

  icon: Icon = { light: 'file:../icons/engine.svg', dark: 'file:../icons/engine.dark.svg' };

  documentationUrl = 'https://github.com/messaging-engine/n8n-nodes-messaging-engine#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      placeholder: 'https://engine.example.com',
      description: 'Where the engine is, without a path',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: "A session's key, or the dashboard's",
      required: true,
    },
    {
      displayName: 'Tenant ID',
      name: 'tenantId',
      type: 'string',
      default: '',
      description: "Only with a dashboard's key that has several tenants; a session's key knows its own",
    },
  ];

  // An expression could not be evaluated while a trigger runs: n8n does so only for as long as it activates it.
  authenticate = async (
    { url, apiKey }: ICredentialDataDecryptedObject,
    request: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> => withKey({ url: String(url), apiKey: String(apiKey) }, request);

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}',
      url: '/api/v1/sessions',
      qs: { limit: 1 },
    },
  };
}
