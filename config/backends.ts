import { z } from 'zod';
import { httpUrl, json, secret, setting } from './forms.ts';
import { BackendId, DEFAULT_BACKEND, MAX_WEIGHT } from '../domain/backend-server.ts';
import type { BackendServer } from '../domain/backend-server.ts';
import { PLATFORMS } from '../domain/network/capabilities.ts';

const BackendList = z
  .array(
    z.strictObject({
      id: BackendId,
      url: httpUrl,
      apiKey: secret.optional(),
      weight: z.int().min(0).max(MAX_WEIGHT).default(1),
      engine: z.enum(PLATFORMS).optional(),
    }),
  )
  .min(1)
  .superRefine((list, context) => {
    for (const [index, { id }] of list.entries()) {
      if (list.findIndex((other) => other.id === id) === index) continue;
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must be there once' });
    }
  });

/** The settings of the messaging backends. */
export const backendSettings = {
  backendUrl: setting(
    'BACKEND_URL',
    'The address of the messaging backend, without /api. Production needs this or BACKENDS. Without both, `npm start` runs the sandbox.',
    httpUrl.optional(),
  ),
  backendApiKey: setting('BACKEND_API_KEY', 'The API key of the server at BACKEND_URL.', secret.optional()),
  backends: setting(
    'BACKENDS',
    'JSON list of backends, in addition to BACKEND_URL (id `default`) or instead of it (docs/operate/several-backends.md).',
    json.pipe(BackendList).optional(),
  ),
};

interface Given {
  backendUrl?: string | undefined;
  backendApiKey?: string | undefined;
  backends?: z.output<typeof BackendList> | undefined;
}

/** Lists the servers of a configuration; `BACKEND_URL` is the first of them, called `default`. */
export function backendsOf({ backendUrl: url, backendApiKey, backends = [] }: Given): BackendServer[] {
  const one =
    url === undefined ? [] : [{ id: DEFAULT_BACKEND, url, apiKey: backendApiKey, weight: 1, engine: undefined }];
  return [...one, ...backends].map(({ apiKey = null, engine = null, ...more }) => ({ ...more, apiKey, engine }));
}

/** Checks the servers against each other. */
export function backendProblems(given: Readonly<Record<string, unknown>>, { backends = [] }: Given): string[] {
  const hasOne = given['backendUrl'] !== undefined;
  if (given['nodeEnv'] === 'production' && !hasOne && given['backends'] === undefined) {
    return ['BACKEND_URL: must be set in production, or BACKENDS'];
  }
  if (given['backendApiKey'] !== undefined && given['backends'] !== undefined && !hasOne) {
    return ['BACKEND_API_KEY: does nothing without BACKEND_URL; a server of BACKENDS has its key there'];
  }
  const isTwice = hasOne && backends.some(({ id }) => id === DEFAULT_BACKEND);
  return isTwice ? [`BACKENDS: must not list "${DEFAULT_BACKEND}" beside BACKEND_URL, which is that server`] : [];
}
