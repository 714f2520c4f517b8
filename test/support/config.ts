import { loadConfig } from '../../config/config.ts';
import type { Config } from '../../config/config.ts';
import { BACKEND_KEY, BACKEND_WEBHOOK_SECRET, ENCRYPTION_KEY, MASTER_KEY, PSK } from './keys.ts';

/** The configuration of every engine in the tests, but for its servers: they send at once and call this machine alone. */
export function testConfig(servers: Record<string, string>): Config {
  const config = loadConfig({
    ENGINE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    BACKEND_API_KEY: BACKEND_KEY,
    BACKEND_WEBHOOK_SECRET,
    ENGINE_API_KEY: MASTER_KEY,
    WORKFLOW_ENGINE_INTERNAL_PSK: PSK,
    PUBLIC_URL: 'http://engine.test',
    MEDIA_PUBLIC_URL: 'http://media.test',
    MEDIA_MAX_BYTES: '1048576',
    INBOUND_MEDIA_MAX_BYTES: '1048576',
    EGRESS_ALLOW: '127.0.0.0/8,::1/128',
    LLM_MODELS: JSON.stringify([{ id: 'sandbox-model', provider: 'openai-compatible' }]),
    LLM_BASE_URL: `${servers['BACKEND_URL']}/llm/v1`,
    LLM_API_KEY: BACKEND_KEY,
    PACE_PER_MINUTE: '0',
    PACE_BURST: '1',
    FIRST_CONTACTS_PER_DAY: '0',
    FAILED_KEYS_PER_MINUTE: '0',
    PUBLIC_RATE_PER_MINUTE: '0',
    API_RATE_PER_MINUTE: '0',
    API_RATE_PER_MINUTE_OF_AGENCY: '0',
    ...servers,
  });
  // Any free ports, which no setting can ask for.
  return { ...config, port: 0, metricsPort: 0 };
}
