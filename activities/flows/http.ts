import { z } from 'zod';
import { keepResult } from '../../db/flows/run.ts';
import { openFlowSecret } from '../../db/flows/secret.ts';
import type { ExecutionStanding } from '../../db/automations/execution.ts';
import type { StepDetail } from '../../db/automations/steps.ts';
import type { CallAnswer } from '../../adapters/egress/call.ts';
import { EngineError } from '../../domain/error.ts';
import { asJson } from '../../domain/flows/index.ts';
import type { Json } from '../../domain/flows/index.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createAttemptSlots } from '../webhooks/attempt-slots.ts';
import type { Called } from './called.ts';

interface HttpDependencies extends Pick<ActivityDependencies, 'database' | 'shares'> {
  egress: Pick<ActivityDependencies['egress'], 'call'>;
}

const Request = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.json().optional(),
  secret: z.object({ scheme: z.enum(['bearer', 'basic']), name: z.string() }).nullable(),
});
type Request = z.output<typeof Request>;

/** The requests that a process makes at a time; calls of endpoints have slots of their own. */
const MAX_REQUESTS = 50;
const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 65_536;
/** These answers say that a repetition may help. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);
const SERVER_FAULT = 500;
/** A failure of the address itself, which a repetition does not change. */
const REFUSED: ReadonlySet<string> = new Set(['blocked_address', 'insecure_url', 'too_large']);

/** Creates what sends a workflow's HTTP requests through the guarded egress. */
export function createHttp({ database, egress, shares }: HttpDependencies) {
  const slots = createAttemptSlots(MAX_REQUESTS, shares);

  /**
   * Sends the request of a step and keeps the answer in the run's row. The secret is opened here, so it reaches neither
   * the rows nor Temporal. A repetition has the same `idempotency-key`.
   */
  async function send({ agencyId, tenantId }: ExecutionStanding, called: Called, input: unknown): Promise<StepDetail> {
    const request = Request.parse(input);
    const authorization = await authorizationOf(agencyId, request);
    const owner = `${agencyId}/${tenantId}`;
    if (slots.take(owner, 1) === 0)
      throw new EngineError('calls_full', 'The limit of calls in progress in this process is reached.');
    try {
      const answered = await egress.call({
        method: request.method,
        url: request.url,
        headers: {
          accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
          'idempotency-key': `${called.executionId}-${called.number}`,
          ...(authorization === null ? {} : { authorization }),
        },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
      });
      const { status, contentType, text } = requireAnswer(answered);
      if (status < 200 || status > 299) return { status, failed: 'http_failed' };
      const result = { status, body: bodyOf(contentType, text) };
      await database.statement((tx) => keepResult(tx, called, result));
      return { status };
    } finally {
      slots.giveBack(owner, 1);
    }
  }

  async function authorizationOf(agencyId: string, { secret, url }: Request): Promise<string | null> {
    if (secret === null) return null;
    const { scheme, name } = secret;
    const wanted = { agencyId, name, host: new URL(url).host };
    const value = await database.read((queries) => openFlowSecret(queries, database.secrets, wanted));
    if (value === null) throw new EngineError('secret_missing', `The agency has no secret ${name} for this host.`);
    return scheme === 'bearer' ? `Bearer ${value}` : `Basic ${Buffer.from(value).toString('base64')}`;
  }

  return { send };
}

function requireAnswer(answered: CallAnswer): Extract<CallAnswer, { outcome: 'answered' }> {
  if (answered.outcome === 'failed') {
    const code = REFUSED.has(answered.failure) ? 'http_refused' : 'http_failed';
    throw new EngineError(code, `The request failed: ${answered.failure}.`);
  }
  if (answered.status >= SERVER_FAULT || RETRYABLE.has(answered.status)) {
    throw new EngineError('http_failed', `The server answered ${answered.status}.`);
  }
  return answered;
}

/** PostgreSQL refuses values that nest some thousand levels deep. */
const MAX_NESTING = 100;

/**
 * Reads JSON as values, and anything else as text. A row can keep the result: one that it refused would repeat a request
 * that the server has already answered.
 */
function bodyOf(contentType: string, text: string): Json {
  if (!/\bjson\b/i.test(contentType)) return asJson(text);
  try {
    const value: unknown = JSON.parse(text);
    return asJson(isWithin(value, MAX_NESTING) ? value : text);
  } catch {
    return asJson(text);
  }
}

function isWithin(value: unknown, nesting: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return nesting > 0 && Object.values(value).every((each) => isWithin(each, nesting - 1));
}
