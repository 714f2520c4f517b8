import { STATUS_CODES } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { askJson, NoAnswer } from './ask-json.ts';
import { CommandError, UsageError } from './command-error.ts';
import { findOperatorTarget, findTarget, httpUrl } from './target.ts';

interface Flags {
  url?: string | undefined;
  'api-key'?: string | undefined;
  header?: string[] | undefined;
}

interface Output {
  /** Prints the JSON of the response. */
  say: (line: string) => void;
  /** Prints the status, apart from the JSON, so that a pipe receives only JSON. */
  note: (line: string) => void;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const OPERATORS = '/v1/internal/';
const ADMINS = '/api/v1/admin/';

/** Makes one request with the key that its route takes. Returns the exit code: 1 if the engine refuses the request. */
export async function call(words: string[], flags: Flags, config: Config, { say, note }: Output): Promise<number> {
  const { method, path, body } = readCall(words);
  const { url, headers } = await addressOf(path, flags, config);
  const response = await askJson(url + path, {
    method,
    headers: { ...headers, ...readHeaders(flags.header ?? []) },
    body,
  }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new CommandError(`${error.message} Start the engine with "npm start", or give its address with --url.`);
  });
  note(`${response.status} ${STATUS_CODES[response.status] ?? ''}`.trimEnd());
  if (response.body !== undefined) say(JSON.stringify(response.body, null, 2));
  return response.status < 400 ? 0 : 1;
}

interface Call {
  method: string;
  path: string;
  body: object | undefined;
}

export function readCall([given, path, json, ...others]: string[]): Call {
  const method = given?.toUpperCase() ?? '';
  if (!METHODS.includes(method) || path === undefined || others.length > 0) {
    throw new UsageError(`Give a method (${METHODS.join(', ')}), a path and, if the route takes one, a JSON body.`);
  }
  return { method, path: wholePath(path), body: json === undefined ? undefined : readBody(json) };
}

/** `/messages/send` is short for `/api/v1/messages/send`. */
function wholePath(path: string): string {
  if (!path.startsWith('/')) throw new UsageError(`The path must begin with a slash: /${path}`);
  // A shell replaces a variable that is not set by nothing. The request would reach another route than the one meant.
  if (/\/(?:\/|$|\?)|=(?:&|$)/.test(path)) {
    throw new CommandError(`${path} has an empty part. Set the variable first, for example MESSAGE=msg_….`);
  }
  return /^\/(?:api|v1|docs)\/|^\/(?:livez|readyz|openapi\.json)$/.test(path) ? path : `/api/v1${path}`;
}

function readBody(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw new CommandError(`The body is not valid JSON: ${json}`, { cause });
  }
  throw new CommandError(`The body must be a JSON object: ${json}`);
}

function readHeaders(given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((header) => {
      const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(header) ?? [];
      if (name === undefined || value === undefined) throw new UsageError(`Write a header as "name: value": ${header}`);
      return [name.toLowerCase(), value];
    }),
  );
}

async function addressOf(
  path: string,
  flags: Flags,
  config: Config,
): Promise<{ url: string; headers: Record<string, string> }> {
  const { ENGINE_URL: address, KEY: key } = config.environment;
  const url = flags.url ?? (address ? httpUrl(address, 'ENGINE_URL') : undefined);
  if (path.startsWith(OPERATORS)) {
    const { url: found, key: psk } = await findOperatorTarget({ url }, config);
    return { url: found, headers: { authorization: `PSK ${psk}` } };
  }
  const dashboards = path.startsWith(ADMINS) ? undefined : key || (await demoKey(config));
  const found = await findTarget({ url, 'api-key': flags['api-key'] ?? dashboards }, config);
  return { url: found.url, headers: { 'x-api-key': found.key } };
}

/** The key that the README's registration keeps; undefined before it. */
async function demoKey({ dataDir }: Config): Promise<string | undefined> {
  const key = await readFile(join(dataDir, 'demo-key'), 'utf8').catch(() => '');
  return key.trim() || undefined;
}
