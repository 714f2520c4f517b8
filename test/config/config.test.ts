import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { envExample } from '../../bin/settings/env-example.ts';
import { isTrial } from '../../config/checks.ts';
import { ConfigError } from '../../config/checks.ts';
import { loadConfig } from '../../config/config.ts';

const STRONG = 'q7Gd0xVb2Lr9Tz4Wm1Kp8Ys5Hn3Cj6Fa';
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://engine@db/engine',
  TEMPORAL_ADDRESS: 'temporal:7233',
  BACKEND_URL: 'http://backend:3000',
  BACKEND_WEBHOOK_SECRET: `${STRONG}1`,
  ENGINE_API_KEY: STRONG,
  WORKFLOW_ENGINE_INTERNAL_PSK: `${STRONG}2`,
  ENGINE_ENCRYPTION_KEY: `${STRONG}3`,
  LLM_BASE_URL: 'http://llm/v1',
  LLM_MODELS: '[{"id":"m","provider":"openai-compatible"}]',
  DATA_DIR: '/srv/engine',
  PUBLIC_URL: 'https://engine.test',
};

function problemsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('a developer', () => {
  test('needs to set nothing', () => {
    expect(loadConfig({})).toMatchObject({
      nodeEnv: 'development',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      dataDir: './data',
      egressAllow: [],
      llmModels: [],
      sandboxScansQrCodes: true,
      sandboxPort: 3001,
      temporalPort: 7233,
      temporalUiPort: 8233,
      postgresPort: 0,
      settleAbsentAfterErrorMs: 10_000,
      settleAbsentAfterBreakMs: 150_000,
      settleLongestFileCallMs: 180_000,
      settleGiveUpAfterMs: 300_000,
    });
  });

  test('may set a variable to nothing, which is not setting it', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' }).port).toBe(3000);
  });
});

describe('an operator', () => {
  test('writes lists with commas and models as JSON', () => {
    const config = loadConfig({
      ...PRODUCTION,
      EGRESS_ALLOW: '10.0.0.0/8, fd00::/8',
      WORKER_QUEUES: 'delivery, webhooks',
      PUBLIC_URL: 'https://engine.example.org/',
    });
    expect(config).toMatchObject({
      egressAllow: ['10.0.0.0/8', 'fd00::/8'],
      workerQueues: ['delivery', 'webhooks'],
      publicUrl: 'https://engine.example.org',
      llmModels: [{ id: 'm', provider: 'openai-compatible' }],
    });
  });

  test('learns all problems at once, by the names of the variables and without their values', () => {
    const problems = problemsOf({
      ...PRODUCTION,
      PORT: 'http',
      LOG_LEVEL: 'loud',
      EGRESS_ALLOW: '10.0.0.0',
      LLM_MODELS: 'gpt',
      DATABASE_URL: 'mysql://user:hunter2@db/engine',
      BACKEND_URL: undefined,
      ENGINE_API_KEY: 'hunter2',
    });
    expect(new Set(problems.map((problem) => /[A-Z][A-Z_]+/.exec(problem)?.[0]))).toEqual(
      new Set(['BACKEND_URL', 'DATABASE_URL', 'EGRESS_ALLOW', 'ENGINE_API_KEY', 'LLM_MODELS', 'LOG_LEVEL', 'PORT']),
    );
    expect(problems.join()).not.toContain('hunter2');
  });

  test('gives addresses that something can be appended to, and no range that is everything', () => {
    const wrong = ['http://user:hunter2@backend', 'http://backend?x=1', 'http://backend/#x'];
    for (const url of wrong) expect(problemsOf({ BACKEND_URL: url })).toEqual([expect.stringContaining('BACKEND_URL')]);
    for (const range of ['0.0.0.0/0', '10.0.0.0/8, ::/0']) {
      expect(problemsOf({ ...PRODUCTION, EGRESS_ALLOW: range })).toEqual([expect.stringContaining('EGRESS_ALLOW')]);
      expect(problemsOf({ EGRESS_ALLOW: range })).toEqual([]);
    }
  });

  test('never lets webhooks and attachments reach the machine of an engine in production', () => {
    const ranges = ['127.0.0.0/8', '10.0.0.0/8, 127.0.0.1/32', '::1/128', '::ffff:127.0.0.0/104'];
    // Other spellings of the same addresses, and ranges that begin elsewhere.
    for (const range of [...ranges, '0:0:0:0:0:0:0:1/128', '0.0.0.0/1', '126.0.0.0/7', '::/64']) {
      expect(problemsOf({ ...PRODUCTION, EGRESS_ALLOW: range })).toEqual([expect.stringContaining('EGRESS_ALLOW')]);
    }
    expect(problemsOf({ ...PRODUCTION, EGRESS_ALLOW: '10.127.0.0/16' })).toEqual([]);
  });

  test.each([
    ['alone on this machine, with the sandbox', {}, true],
    ['at another address of this machine', { host: '127.0.0.2' }, true],
    ['for all who reach the machine', { host: '0.0.0.0' }, false],
    ['with a backend of its own', { backends: ['http://127.0.0.1:3333'] }, false],
    ['with ranges that somebody has chosen', { egressAllow: ['10.0.0.0/8'] }, false],
  ])('lets webhooks reach this machine by itself only where it runs %s', (_title, change, isOpen) => {
    expect(isTrial({ host: '127.0.0.1', egressAllow: [], backends: [], ...change })).toBe(isOpen);
  });

  test('cannot set a pace that no tenant may have, which no reading of its settings could answer', () => {
    const highest = { PACE_PER_MINUTE: '6000', PACE_BURST: '1000', FIRST_CONTACTS_PER_DAY: '100000' };
    expect(problemsOf(highest)).toEqual([]);
    for (const [variable, value] of Object.entries(highest)) {
      expect(problemsOf({ [variable]: String(Number(value) + 1) })).toEqual([expect.stringContaining(variable)]);
    }
  });

  test('cannot start production with anything missing, short or copied from a guide', () => {
    expect(problemsOf(PRODUCTION)).toEqual([]);
    const missing = problemsOf({ NODE_ENV: 'production' }).join();
    for (const variable of Object.keys(PRODUCTION).filter((name) => !/^(NODE|LLM)_/.test(name))) {
      expect(missing).toContain(variable);
    }
    expect(problemsOf({ ...PRODUCTION, ENGINE_API_KEY: STRONG.slice(1) })).toHaveLength(1);
    expect(problemsOf({ ...PRODUCTION, WORKFLOW_ENGINE_INTERNAL_PSK: STRONG })).toEqual([
      expect.stringMatching(/^ {2}- \w+: must differ from \w+, /),
    ]);
    expect(problemsOf({ ...PRODUCTION, ENGINE_API_KEY: 'change-me-change-me-change-me-change-me' })).toHaveLength(1);
  });
});

describe('the backends', () => {
  const listed = (...servers: object[]) => ({ BACKENDS: JSON.stringify(servers) });
  const server = { id: 'second', url: 'http://second:3000/', apiKey: 'hunter2' };

  test('are the one of BACKEND_URL, which is called default, and those of the list', () => {
    const one = { BACKEND_URL: 'http://backend:3000', BACKEND_API_KEY: 'key' };
    const first = { id: 'default', url: 'http://backend:3000', apiKey: 'key', weight: 1, engine: null };
    expect(loadConfig(one).backends).toEqual([first]);
    const more = listed({ ...server, weight: 3, engine: 'GOWS' }, { id: 'third', url: 'http://third' });
    expect(loadConfig({ ...one, ...more }).backends).toEqual([
      first,
      { id: 'second', url: 'http://second:3000', apiKey: 'hunter2', weight: 3, engine: 'GOWS' },
      { id: 'third', url: 'http://third', apiKey: null, weight: 1, engine: null },
    ]);
    expect(loadConfig({}).backends).toEqual([]);
    expect(problemsOf({ ...PRODUCTION, BACKEND_URL: undefined, ...listed(server) })).toEqual([]);
  });

  test.each([
    ['twice the same id', [server, server], '  - BACKENDS (1.id): must be there once'],
    ['an id that is none', [{ ...server, id: 'The Second' }], '  - BACKENDS (0.id): must consist of'],
    [
      'an address with a password',
      [{ ...server, url: 'http://u:hunter2@second' }],
      '  - BACKENDS (0.url): must have no',
    ],
    ['the name of another', [{ ...server, id: 'default' }], '  - BACKENDS: must not list "default" beside BACKEND_URL'],
    ['a field that is none', [{ ...server, key: 'hunter2' }], '  - BACKENDS (0): Unrecognized key'],
    ['nothing', [], '  - BACKENDS: must not be empty'],
  ])('cannot be listed with %s, and no problem repeats a secret', (_title, servers, problem) => {
    const problems = problemsOf({ BACKEND_URL: 'http://backend', ...listed(...servers) });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  test('need no key that nothing takes', () => {
    expect(problemsOf({ BACKEND_API_KEY: 'key', ...listed(server) })).toEqual([
      expect.stringContaining('BACKEND_API_KEY: does nothing without BACKEND_URL'),
    ]);
  });
});

describe('the models', () => {
  const withModels = (models: object[], more: NodeJS.ProcessEnv = {}) =>
    problemsOf({ ...PRODUCTION, LLM_BASE_URL: undefined, LLM_MODELS: JSON.stringify(models), ...more });

  test('need what their provider asks for, and nothing else', () => {
    expect(withModels([{ id: 'm', provider: 'openai-compatible' }])).toEqual([
      '  - LLM_BASE_URL: must be set for LLM_MODELS (0), of openai-compatible',
    ]);
    expect(withModels([{ id: 'm', provider: 'openai' }])).toEqual([expect.stringContaining('OPENAI_API_KEY')]);
    expect(withModels([{ id: 'm', provider: 'openai' }], { OPENAI_API_KEY: 'key' })).toEqual([]);
    expect(withModels([{ id: 'm', provider: 'anthropic' }])).toEqual([expect.stringContaining('ANTHROPIC_API_KEY')]);
    expect(withModels([{ id: 'm', provider: 'anthropic' }], { ANTHROPIC_API_KEY: 'key' })).toEqual([]);
  });

  test('have their names once, and fall back on each other', () => {
    const model = { provider: 'openai-compatible' };
    const address = { LLM_BASE_URL: 'http://llm/v1' };
    expect(
      withModels(
        [
          { ...model, id: 'a', fallback: 'b' },
          { ...model, id: 'b' },
        ],
        address,
      ),
    ).toEqual([]);
    for (const fallback of ['c', 'a']) {
      expect(withModels([{ ...model, id: 'a', fallback }], address)).toEqual([
        '  - LLM_MODELS (0.fallback): must be the id of another model in this list',
      ]);
    }
    expect(
      withModels(
        [
          { ...model, id: 'a' },
          { ...model, id: 'a' },
        ],
        address,
      ),
    ).toHaveLength(1);
    expect(withModels([{ ...model, id: 'a', provider: 'openrouter' }], address)).toHaveLength(1);
    const round = ['b', 'c', 'a'].map((fallback, index) => ({ ...model, id: 'abc'.charAt(index), fallback }));
    expect(withModels(round, address)).toEqual(
      [0, 1, 2].map((index) => expect.stringContaining(`(${index}.fallback): leads back to this model`)),
    );
  });

  test('must be named where there is a place to ask them', () => {
    expect(problemsOf({ LLM_BASE_URL: 'http://llm/v1' })).toEqual(['  - LLM_MODELS: must be set with LLM_BASE_URL']);
  });
});

describe('the files of messages', () => {
  const { DATA_DIR, ...withoutStore } = PRODUCTION;
  const bucket = { S3_ENDPOINT: 'http://s3:3900', S3_BUCKET: 'media', S3_ACCESS_KEY_ID: 'id' };

  test('need a place in production that API and worker both see', () => {
    expect(problemsOf(withoutStore)).toEqual([expect.stringContaining('S3_ENDPOINT: must be set in production')]);
    expect(problemsOf({ ...withoutStore, DATA_DIR })).toEqual([]);
    expect(problemsOf({ ...withoutStore, ...bucket, S3_SECRET_ACCESS_KEY: 'secret' })).toEqual([]);
  });

  test('need all of a bucket where there is one', () => {
    expect(problemsOf(bucket)).toEqual(['  - S3_SECRET_ACCESS_KEY: must be set with S3_ENDPOINT']);
  });

  test('have no use for the keys of a store that is not named', () => {
    expect(problemsOf({ S3_BUCKET: 'media' })).toEqual([expect.stringContaining('S3_BUCKET')]);
  });

  test('are never larger than what the backend takes', () => {
    expect(loadConfig({}).mediaMaxBytes).toBe(33_554_432);
    expect(problemsOf({ MEDIA_MAX_BYTES: '40000000' })).toHaveLength(1);
  });
});

test('.env.example says what config/config.ts says; `npm run env-example` writes it', () => {
  expect(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')).toBe(envExample());
});
