import { holdsLoopback } from '../domain/loopback.ts';
import type { ModelProvider, ModelSpec } from '../domain/agent/model.ts';

/** Reports all problems of a configuration at once, each on a line of its own. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

/**
 * The raw values, for checks that need several settings at once. No problem repeats a value, because some values are
 * secrets.
 */
type Given = Readonly<Record<string, string | undefined>>;

const STORE_KEYS = [
  ['s3Bucket', 'S3_BUCKET'],
  ['s3AccessKeyId', 'S3_ACCESS_KEY_ID'],
  ['s3SecretAccessKey', 'S3_SECRET_ACCESS_KEY'],
] as const;

/**
 * Checks the media store. API and worker must find the same files, so in production the place of the files must be set
 * and is never assumed.
 */
export function storeProblems(given: Given): string[] {
  if (given['s3Endpoint'] !== undefined) {
    const missing = STORE_KEYS.filter(([field]) => given[field] === undefined);
    return missing.map(([, variable]) => `${variable}: must be set with S3_ENDPOINT`);
  }
  const idle = STORE_KEYS.filter(([field]) => given[field] !== undefined);
  const problems = idle.map(([, variable]) => `${variable}: does nothing without S3_ENDPOINT`);
  if (given['nodeEnv'] !== 'production' || given['dataDir'] !== undefined) return problems;
  return [
    ...problems,
    'S3_ENDPOINT: must be set in production, or DATA_DIR to a directory that every API and worker shares',
  ];
}

const PROVIDER_NEEDS: Readonly<Record<ModelProvider, { field: string; variable: string }>> = {
  'openai-compatible': { field: 'llmBaseUrl', variable: 'LLM_BASE_URL' },
  openai: { field: 'openaiApiKey', variable: 'OPENAI_API_KEY' },
  anthropic: { field: 'anthropicApiKey', variable: 'ANTHROPIC_API_KEY' },
};

/**
 * Checks that every model can be asked. A model that cannot be asked would let every turn of the agent fail, so the
 * start fails instead.
 */
export function modelProblems(given: Given, models: readonly ModelSpec[] | undefined): string[] {
  if (given['llmModels'] === undefined) {
    // Production requires LLM_MODELS anyway, so its absence is reported there already.
    const isAlone = given['llmBaseUrl'] !== undefined && given['nodeEnv'] !== 'production';
    return isAlone ? ['LLM_MODELS: must be set with LLM_BASE_URL'] : [];
  }
  return (models ?? []).flatMap(({ provider }, index) => {
    const { field, variable } = PROVIDER_NEEDS[provider];
    return given[field] === undefined ? [`${variable}: must be set for LLM_MODELS (${index}), of ${provider}`] : [];
  });
}

const STRONG_SECRET_LENGTH = 32;
/** A check of the length alone would let a sample value from a guide into production. */
const SAMPLE = /change.?me|example|your[-_]/i;
/** Matches a range that contains every address, also those of the operator's own network. */
const EVERYTHING = /\/0+\s*(,|$)/;

/** Tells whether a secret is too short, or looks like one of a guide. */
export function isWeakSecret(value: string): boolean {
  return value.length < STRONG_SECRET_LENGTH || SAMPLE.test(value);
}

interface Needed {
  field: string;
  variable: string;
  production?: 'required' | 'secret';
}

export function productionProblems(given: Given, settings: readonly Needed[]): string[] {
  const problems = settings.flatMap(({ field, variable, production }) => {
    const value = given[field];
    if (production === undefined) return [];
    if (value === undefined) return [`${variable}: must be set in production`];
    const isWeak = production === 'secret' && isWeakSecret(value);
    return isWeak ? [`${variable}: must be at least ${STRONG_SECRET_LENGTH} random characters in production`] : [];
  });
  const secrets = settings.filter(({ production }) => production === 'secret');
  for (const [index, { field, variable }] of secrets.entries()) {
    const same = secrets
      .slice(0, index)
      .find((other) => given[field] !== undefined && given[other.field] === given[field]);
    if (same)
      problems.push(`${variable}: must differ from ${same.variable}, so that who knows one does not know the other`);
  }
  if (EVERYTHING.test(given['egressAllow'] ?? '')) {
    problems.push('EGRESS_ALLOW: must name ranges in production, not every address');
  } else if (given['egressAllow'] !== undefined && holdsLoopback(given['egressAllow'])) {
    problems.push(
      'EGRESS_ALLOW: must not name addresses of this machine in production, where the engine has its parts',
    );
  }
  return problems;
}

/**
 * True while nobody else can reach the engine, and nobody real can be reached through it. Addresses of this machine are
 * allowed then, because a developer first tries a receiver there.
 */
export function isTrial(given: {
  egressAllow: readonly string[];
  backends: readonly unknown[];
  host: string;
}): boolean {
  const { egressAllow, backends, host } = given;
  return egressAllow.length === 0 && backends.length === 0 && /^(127\.[\d.]+|::1|localhost)$/.test(host);
}
