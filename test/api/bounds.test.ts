import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createOpenApiDocument } from '../../api/openapi.ts';
import { routes } from '../../api/routes.ts';
import { Settings } from '../../config/config.ts';

/** The configuration's default for each field, with the response that carries it. */
const ANSWERED: Record<string, [path: string, field: string]> = {
  pacePerMinute: ['/api/v1/tenants/{tenantId}/settings', 'effective.pace.perMinute'],
  paceBurst: ['/api/v1/tenants/{tenantId}/settings', 'effective.pace.burst'],
  firstContactsPerDay: ['/api/v1/tenants/{tenantId}/settings', 'effective.pace.firstContactsPerDay'],
  apiRatePerMinute: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.keyRatePerMinute'],
  apiRateBurst: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.keyRateBurst'],
  apiRatePerMinuteOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.ratePerMinute'],
  apiRateBurstOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.rateBurst'],
  aiTokensPerDayOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.tokensPerDay'],
  aiCostPerDayOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.costPerDay'],
  aiTokensPerDayOfTenant: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.tenantTokensPerDay'],
  aiCostPerDayOfTenant: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.tenantCostPerDay'],
  tenantsOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.tenants'],
  storageBytesOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.storageBytes'],
  storageBytesOfTenant: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.tenantStorageBytes'],
  automationsRunningOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.automationsRunning'],
  automationsPerMinuteOfAgency: ['/api/v1/admin/dashboards/{agencyId}/limits', 'effective.automationsPerMinute'],
  'backends[].weight': ['/api/v1/admin/backends', 'backends[].weight'],
  historyMessagesPerChat: ['/api/v1/sessions/{id}/sync', 'limits.messagesPerChat'],
  historyMessagesPerSession: ['/api/v1/sessions/{id}/sync', 'limits.messagesPerSession'],
  webhookTimeoutMs: ['/api/v1/webhooks/endpoints', 'timeoutMs'],
};
/** Fields of an answer that share only their name with one of the request: a button's words are not the message's. */
const NAMESAKES = ['messages[].buttons.buttons[].text'];
/** Nobody is answered these. */
const UNANSWERED = [
  'port',
  'sandboxPort',
  'temporalPort',
  'temporalUiPort',
  'trustedProxies',
  'postgresPort',
  'metricsPort',
  'tracesRatio',
  'mediaMaxBytes',
  'storageMinFreePercent',
  'inboundMediaMaxBytes',
  'historyMediaDays',
  'llmModels[].contextTokens',
  'llmModels[].inputPerMillion',
  'llmModels[].outputPerMillion',
  'settleAbsentAfterErrorMs',
  'settleAbsentAfterBreakMs',
  'settleGiveUpAfterMs',
  'settleLongestFileCallMs',
  'silenceAfterMs',
  'auditEveryMs',
  'historyDays',
  'historyEveryMs',
  'applyLoops',
  'failedKeysPerMinute',
  'publicRatePerMinute',
  'databasePoolSize',
  'sendsPerBackend',
  'sendsPerSession',
];

const Node: z.ZodType<Schema> = z.lazy(() => z.looseObject({}));
type Schema = { [key: string]: unknown };
const METHODS = ['get', 'post', 'put', 'patch'] as const;
const LOWEST = ['minimum', 'minLength', 'minItems'] as const;
const HIGHEST = ['maximum', 'maxLength', 'maxItems'] as const;

const document = Node.parse(JSON.parse(JSON.stringify(createOpenApiDocument(routes))));

/** Follows a path of keys, through references. */
function at(node: unknown, ...keys: string[]): Schema | null {
  let here = resolved(node);
  for (const key of keys) here = here === null ? null : resolved(here[key]);
  return here;
}

function resolved(node: unknown): Schema | null {
  const parsed = Node.safeParse(node);
  if (!parsed.success) return null;
  const ref = parsed.data['$ref'];
  return typeof ref === 'string' ? at(document, ...ref.slice(2).split('/')) : parsed.data;
}

/** Every bounded field of a schema by its path, such as `pace.perMinute`. */
function bounds(schema: unknown, path = '', depth = 0): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const here = resolved(schema);
  if (here === null || depth > 12) return found;
  if ([...LOWEST, ...HIGHEST].some((bound) => typeof here[bound] === 'number')) found.set(path, here);
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => z.array(z.unknown()).catch([]).parse(here[key]));
  for (const part of parts) for (const [key, bound] of bounds(part, path, depth + 1)) found.set(key, bound);
  for (const [name, field] of Object.entries(at(here, 'properties') ?? {})) {
    const inner = path === '' ? name : `${path}.${name}`;
    for (const [key, bound] of bounds(field, inner, depth + 1)) found.set(key, bound);
  }
  for (const [key, bound] of bounds(here['items'], `${path}[]`, depth + 1)) found.set(key, bound);
  return found;
}

/** Returns the bounds under which the response refuses a valid request. */
function tighter(given: Schema, answered: Schema): string[] {
  return [...LOWEST, ...HIGHEST].filter((bound) => {
    const told = answered[bound];
    if (typeof told !== 'number') return false;
    const taken = given[bound];
    if (typeof taken !== 'number') return true;
    return LOWEST.some((low) => low === bound) ? told > taken : told < taken;
  });
}

function replyOf(operation: Schema | null): unknown {
  const answers = Object.entries(at(operation, 'responses') ?? {}).filter(([status]) => status.startsWith('2'));
  return { anyOf: answers.flatMap(([, answer]) => at(answer, 'content', 'application/json', 'schema') ?? []) };
}

const ofRoute = Object.entries(at(document, 'paths') ?? {}).flatMap(([path, item]) => {
  const operations = METHODS.map((method) => at(item, method));
  const replies = operations.map((operation) => bounds(replyOf(operation)));
  return METHODS.flatMap((method, index) => {
    const request = bounds(at(operations[index] ?? null, 'requestBody', 'content', 'application/json', 'schema'));
    return request.size === 0 ? [] : [{ method, path, request, replies }];
  });
});

describe('what is taken can be answered', () => {
  it('every field of a request that its route, or the reading of what it made, answers is answered within the same bounds', () => {
    const refused: string[] = [];
    let compared = 0;
    for (const { method, path, request, replies } of ofRoute) {
      for (const [field, given] of request) {
        for (const [name, answered] of replies.flatMap((reply) => [...reply])) {
          if ((name !== field && !name.endsWith(`.${field}`)) || NAMESAKES.includes(name)) continue;
          compared += 1;
          for (const bound of tighter(given, answered)) refused.push(`${method} ${path}: ${field} (${bound})`);
        }
      }
    }
    expect(refused).toEqual([]);
    // A comparison of nothing proves nothing.
    expect(compared).toBeGreaterThan(20);
  });

  it('every bounded variable of the configuration that is answered is answered within the same bounds', () => {
    const configured = bounds(z.toJSONSchema(Settings, { io: 'output', unrepresentable: 'any' }));
    const numbers = [...configured].filter(([, { type }]) => type === 'integer' || type === 'number');
    // A new one is put into one of the two lists.
    expect(numbers.map(([name]) => name).toSorted()).toEqual([...Object.keys(ANSWERED), ...UNANSWERED].toSorted());
    const refused = numbers.flatMap(([name, given]) => {
      const [path, field] = ANSWERED[name] ?? [];
      if (path === undefined || field === undefined) return [];
      const replies = METHODS.map((method) => bounds(replyOf(at(document, 'paths', path, method))));
      const answered = replies.map((reply) => reply.get(field)).filter((found) => found !== undefined);
      expect({ name, isAnswered: answered.length > 0 }).toEqual({
        name,
        isAnswered: true,
      });
      return answered.flatMap((each) => tighter(given, each).map((bound) => `${name}: ${bound}`));
    });
    expect(refused).toEqual([]);
  });
});
