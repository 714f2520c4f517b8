import { z } from 'zod';
import { EndpointParam } from '../../automations/endpoint-param.ts';
import { flowFunction } from './function.ts';

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);
const Data = z.record(z.string().min(1).max(64), scalar).meta({ description: 'Words, numbers and flags to send.' });

export const SecretName = z
  .string()
  .regex(/^[a-zA-Z][\w-]{0,63}$/, 'must begin with a letter and have at most 64 letters, digits, `_` and `-`');

const HEADER = /^[a-zA-Z0-9-]{1,64}$/;
/** Headers that the engine or the connection sets. */
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'authorization',
  'cookie',
  'expect',
  'idempotency-key',
  'te',
  'upgrade',
  'proxy-authorization',
]);

const Headers = z
  .record(
    z.string().regex(HEADER, 'is not the name of a header'),
    z
      .string()
      .max(2_000)
      .regex(/^[\t\x20-\x7e\xa0-\xff]*$/, 'must be one line of Latin letters and signs'),
  )
  .superRefine((headers, { issues }) => {
    const own = Object.keys(headers).find((header) => OWN_HEADERS.has(header.toLowerCase()));
    if (own !== undefined)
      issues.push({
        code: 'custom',
        input: headers,
        path: [own],
        message: 'is a header that the engine sets; a secret belongs into `endpoint.authentication`',
      });
  });

const Secret = z.strictObject({ use: SecretName.meta({ description: 'The name of a secret in `use.secrets`.' }) });
const Authentication = z
  .strictObject({ bearer: Secret.optional(), basic: Secret.optional() })
  .refine(
    ({ bearer, basic }) => (bearer === undefined) !== (basic === undefined),
    'must be `bearer: { use: <secret> }` or `basic: { use: <secret> }`',
  );
const uri = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .max(2_000)
  .meta({ description: 'The https address. `{name}` in its path is filled in from the input of the task.' });
const Endpoint = z
  .union(
    [
      uri,
      z.strictObject({
        uri,
        authentication: Authentication.optional(),
      }),
    ],
    { error: 'must be an https address, or `uri` with `authentication`' },
  )
  .meta({ description: 'The address, with the secret to send as `authorization` if there is one.' });

export const OUTSIDE = {
  callWebhook: flowFunction({
    title: 'Call an endpoint',
    doc: "Posts a signed request to one of the tenant's webhook endpoints, with the ids of the conversation.",
    kind: 'call',
    input: z.strictObject({ endpointId: EndpointParam, data: Data.optional() }),
    output: z.object({ status: z.number().nullable().meta({ description: 'The HTTP status of the response.' }) }),
  }),
  http: flowFunction({
    title: 'Send an HTTP request',
    doc:
      'Sends a request to an https address that is not private, without following redirects. A response other than ' +
      '2xx is an error that `catch` can handle.',
    kind: 'call',
    input: z
      .strictObject({
        method: z
          .string()
          .transform((method) => method.toUpperCase())
          .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
          .meta({ description: 'The method.' }),
        endpoint: Endpoint,
        headers: Headers.optional().meta({ description: 'Headers besides those that the engine sets.' }),
        query: z
          .record(z.string().min(1).max(100), z.union([z.string().max(1_000), z.number(), z.boolean()]))
          .optional()
          .meta({ description: 'Parameters of the query.' }),
        body: z.unknown().optional().meta({ description: 'The body, sent as JSON.' }),
        output: z.enum(['content', 'response']).optional().meta({
          description: 'The output: the `content` of the response, or the `response` with `status` and `body`.',
        }),
      })
      .transform(({ method, endpoint, headers = {}, query = {}, body }) => {
        const { uri: address, authentication } =
          typeof endpoint === 'string' ? { uri: endpoint } : { authentication: undefined, ...endpoint };
        const url = new URL(address);
        for (const [key, value] of Object.entries(query)) url.searchParams.append(key, String(value));
        const secret = authentication === undefined ? null : secretOf(authentication);
        const named = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value] as const);
        return {
          method,
          url: url.href,
          headers: Object.fromEntries(named),
          ...(body === undefined ? {} : { body }),
          secret,
        };
      }),
    output: z.object({
      status: z.number().meta({ description: 'The HTTP status.' }),
      body: z.json().meta({ description: 'The body: JSON as values, anything else as text.' }),
    }),
  }),
};

/** The secret to send as `authorization`. Its value is known only where the request is sent. */
function secretOf({ bearer, basic }: z.infer<typeof Authentication>): { scheme: 'bearer' | 'basic'; name: string } {
  return bearer ? { scheme: 'bearer', name: bearer.use } : { scheme: 'basic', name: basic?.use ?? '' };
}
