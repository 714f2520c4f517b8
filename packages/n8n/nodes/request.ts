import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  ITriggerFunctions,
} from 'n8n-workflow';

export const CREDENTIAL = 'messagingEngineApi';
const TIMEOUT_MS = 60_000;

type Asking = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | ITriggerFunctions;

export interface Account {
  url: string;
  apiKey: string;
  tenantId?: string;
}

export interface Asked {
  method: IHttpRequestMethods;
  path: string;
  query?: IDataObject;
  body?: IDataObject | Buffer;
  headers?: IDataObject;
  signal?: AbortSignal;
}

/** Asks the engine with the credential of the node. */
export async function ask(
  by: Asking,
  { method, path, query, body, headers, signal }: Asked,
  item = 0,
): Promise<unknown> {
  const { url } = await by.getCredentials<Account>(CREDENTIAL, item);
  const options: IHttpRequestOptions = {
    method,
    url: `${url.replace(/\/+$/, '')}${path}`,
    json: true,
    timeout: TIMEOUT_MS,
    ...(query === undefined ? {} : { qs: query }),
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
  return by.helpers.httpRequestWithAuthentication.call(by, CREDENTIAL, options);
}

export function isObject(value: unknown): value is IDataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The session of the node: the one that it names, else the only one that the key reaches. */
export async function sessionOf(by: Asking, named: string): Promise<string | undefined> {
  if (named !== '') return named;
  const { tenantId } = await by.getCredentials<Account>(CREDENTIAL);
  const listed = await ask(by, {
    method: 'GET',
    path: '/api/v1/sessions',
    query: { limit: 2, ...(tenantId ? { tenantId } : {}) },
  });
  const sessions = Array.isArray(listed) ? listed.filter(isObject) : [];
  const [only, second] = sessions;
  return second === undefined && typeof only?.['id'] === 'string' ? only['id'] : undefined;
}
