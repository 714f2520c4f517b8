import { z } from 'zod';
import { CommandError } from './command-error.ts';
import type { Target } from './target.ts';

const TIMEOUT_MS = 30_000;

const Problem = z.object({ code: z.string(), detail: z.string() });

/** The engine, or a proxy before it, has refused the request. */
export class Refused extends CommandError {
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, code: string | null, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The engine cannot be reached, or has not answered in time. */
export class Unreachable extends CommandError {}

export interface Ask {
  query?: Record<string, string | undefined>;
  body?: object;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Calls the engine's API for the agency and tenant that the target names. */
export class EngineClient {
  readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  async get<T>(path: string, reply: z.ZodType<T>, { query, ...options }: Ask = {}): Promise<T> {
    const { agencyId, tenantId } = this.target;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ agencyId, tenantId, ...query })) {
      if (value !== undefined) search.set(name, value);
    }
    return this.#ask('GET', `${path}?${search.toString()}`, reply, options);
  }

  /** Posts for the target. `withTenant: false` is for routes of the agency as a whole. */
  async post<T>(path: string, body: object, reply: z.ZodType<T>, { withTenant = true } = {}): Promise<T> {
    const { agencyId, tenantId } = this.target;
    const target = { agencyId, ...(withTenant ? { tenantId } : {}) };
    return this.#ask('POST', path, reply, { body: { ...target, ...body } });
  }

  async #ask<T>(method: string, path: string, reply: z.ZodType<T>, options: Ask): Promise<T> {
    const { url, key, isPsk = false } = this.target;
    const credentials = isPsk ? { authorization: `PSK ${key}` } : { 'x-api-key': key };
    const answer = await askJson(method, url + path, credentials, options);
    if (answer.ok) return parsed(reply, answer.body, url);
    const problem = Problem.safeParse(answer.body).data;
    const why = problem === undefined ? 'It is no engine, or a proxy before it answered.' : problem.detail;
    const [route] = path.split('?');
    throw new Refused(answer.status, problem?.code ?? null, `${method} ${route} was answered ${answer.status}: ${why}`);
  }
}

export interface JsonAnswer {
  ok: boolean;
  status: number;
  /** Undefined when the body is not JSON. */
  body: unknown;
}

export async function askJson(
  method: string,
  url: string,
  headers: Record<string, string>,
  { body, timeoutMs = TIMEOUT_MS, signal }: Ask,
): Promise<JsonAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: readJson(text) };
  } catch {
    signal?.throwIfAborted();
    throw new Unreachable(
      `${new URL(url).origin} cannot be reached: is it running? Start it with "npm start", or give its address with --url.`,
    );
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parsed<T>(reply: z.ZodType<T>, body: unknown, url: string): T {
  const result = reply.safeParse(body);
  if (result.success) return result.data;
  throw new CommandError(`${url} answers in another way than this version of the engine: are they the same?`);
}
