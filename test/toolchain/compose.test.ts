import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../../config/checks.ts';
import { loadConfig, settings } from '../../config/config.ts';
import { ROOT } from './source-files.ts';

const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  restart: z.enum(['unless-stopped', 'on-failure']),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  networks: z.array(z.string()).min(1),
  volumes: z.array(z.string()).default([]),
  depends_on: z
    .record(z.string(), z.object({ condition: z.enum(['service_healthy', 'service_completed_successfully']) }))
    .default({}),
  healthcheck: z.object({ test: z.array(z.string()).min(2), interval: z.string(), timeout: z.string() }).optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  networks: z.record(
    z.string(),
    z
      .strictObject({
        internal: z.literal(true),
        ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }).optional(),
      })
      .nullable(),
  ),
  volumes: z.record(z.string(), z.null()),
});

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const { services, networks, volumes } = Compose.parse(parse(text, { merge: true }));
const all = Object.entries(services);

/** A job runs to its end and is waited for; everything else keeps running. */
const jobs = new Set(
  all.flatMap(([, { depends_on }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [name] : [],
    ),
  ),
);

const SECRET = /PASSWORD|SECRET|PSK|PWD|(API|ENCRYPTION)_KEY|KEY_ID/;
const REQUIRED = /^\$\{[A-Z0-9_]+:\?.+\}$/;
/** Which of them a model needs, its provider says. */
const KEY_OF_MODELS = /^\$\{(LLM|OPENAI|ANTHROPIC)_API_KEY:-\}$/;
/** There only while the encryption key is being replaced. */
const PREVIOUS_KEY = /^\$\{ENGINE_ENCRYPTION_KEY_PREVIOUS:-\}$/;

/** Returns a value as compose reads it: every required variable has a strong value of its own. */
function interpolate(value: string): string {
  return value
    .replaceAll(/\$\{LLM_MODELS:\?[^}]*\}/g, '[{"id":"model","provider":"openai-compatible"}]')
    .replaceAll('${LLM_BASE_URL:-}', 'https://llm.test/v1')
    .replaceAll(/\$\{[A-Z_]*URL:\?[^}]*\}/g, 'https://host.test/v1')
    .replaceAll(/\$\{[A-Z0-9_]+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{([A-Z0-9_]+):\?[^}]*\}/g, (_all, name: string) => `${'0123456789abcdef'.repeat(4)}${name}`);
}

const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, interpolate(value)]),
  );

describe('docker-compose.yml', () => {
  it.each(all)('pins the image of %s', (_name, { image }) => {
    expect(interpolate(image)).toMatch(/^[a-z0-9./-]+:[a-z-]*v?\d+\.\d+/);
  });

  it.each(all.filter(([name]) => !jobs.has(name)))('asks %s whether it is well', (_name, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck).toBeDefined();
  });

  it.each(all)('lets %s wait for services that can be waited for', (_name, { depends_on }) => {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(Object.keys(services)).toContain(other);
      if (condition === 'service_healthy') expect(services[other]?.healthcheck).toBeDefined();
      else expect(services[other]?.restart).toBe('on-failure');
    }
  });

  it('declares the volumes that are used, and no others', () => {
    const mounts = all.flatMap(([, service]) => service.volumes.map((volume) => volume.split(':')[0] ?? ''));
    const named = mounts.filter((source) => !source.startsWith('.'));
    expect(new Set(named)).toEqual(new Set(Object.keys(volumes)));
    expect(mounts.filter((source) => source.startsWith('.') && !existsSync(join(ROOT, source)))).toEqual([]);
  });

  it.each(all)('holds no secret of %s', (_name, { environment }) => {
    for (const [key, value] of Object.entries(environment).filter(([name]) => SECRET.test(name))) {
      if (KEY_OF_MODELS.test(value) || PREVIOUS_KEY.test(value)) continue;
      expect(`${key}=${value}`).toMatch(new RegExp(REQUIRED.source.replace('^', `^${key}=`)));
    }
    // A password inside an address must come from outside, too.
    for (const value of Object.values(environment)) expect(value).not.toMatch(/:\/\/[^:/]+:(?!\$\{)[^@/]+@/);
  });

  it.each(all)('opens ports of %s to this machine alone', (_name, { ports }) => {
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it.each(['api', 'worker'])('gives the %s all that production needs', (name) => {
    const environment = environmentOf(name);
    expect(loadConfig(environment).nodeEnv).toBe('production');
    const needed = neededInProduction();
    expect(needed).not.toEqual([]);
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(needed));
  });

  it.each(['api', 'worker'])('hands every setting of .env to the %s, by its name', (name) => {
    const environment = services[name]?.environment ?? {};
    const variables = settings().map(({ variable }) => variable);
    expect(variables.filter((variable) => environment[variable] === undefined)).toEqual([]);
    // Settings that the file leaves open come from .env under the same name.
    const renamed = variables.filter((variable) => {
      const value = environment[variable] ?? '';
      return /^\$\{[A-Z0-9_]+:[-?]/.test(value) && !value.startsWith(`\${${variable}:`);
    });
    expect(renamed).toEqual([]);
    expect(environment).toMatchObject({
      TRUSTED_PROXIES: '${TRUSTED_PROXIES:-}',
      PACE_PER_MINUTE: '${PACE_PER_MINUTE:-}',
    });
  });

  it.each(['api', 'worker'])('keeps the passwords of the other services from the %s', (name) => {
    const own = new Set(settings().map(({ variable }) => variable));
    expect(Object.keys(services[name]?.environment ?? {}).filter((variable) => !own.has(variable))).toEqual([]);
  });

  it('gives the engine a role of its own, which is no superuser', () => {
    for (const name of ['api', 'worker']) {
      expect(new URL(interpolate(services[name]?.environment['DATABASE_URL'] ?? '')).username).toBe('engine');
    }
    const roles = readFileSync(join(ROOT, 'deploy/postgres-databases.sh'), 'utf8').match(/^(create|alter) role.*$/gm);
    expect(roles).toEqual([`create role :"name" login password :'password';`]);
  });

  it('shows metrics at a port that is not published, for who joins their network', () => {
    for (const name of ['api', 'worker']) {
      expect(environmentOf(name)).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464', PORT: '3000' });
      expect(services[name]?.networks).toContain('metrics');
    }
    expect(all.flatMap(([, { ports }]) => ports).filter((port) => port.includes('9464'))).toEqual([]);
    expect(networks['metrics']).toEqual({ internal: true });
    const joined = all.filter(([, service]) => service.networks.includes('metrics'));
    expect(joined.map(([name]) => name)).toEqual(['api', 'worker']);
    const scraped = readFileSync(join(ROOT, 'docs/operate/monitor.md'), 'utf8').match(/(?<=targets: \[')[^']+/g);
    expect(scraped).toEqual(['api:9464', 'worker:9464']);
  });

  it('has the backend report to the API inside the network, and shows clients the address they know', () => {
    expect(services['worker']?.environment['BACKEND_CALLBACK_URL']).toBe('http://api:3000');
    for (const name of ['api', 'worker']) expect(services[name]?.environment['PUBLIC_URL']).toMatch(REQUIRED);
    expect(services['api']?.environment['PORT']).toBe('3000');
    expect(services['waha']?.environment['WAHA_API_KEY']).toBe(services['api']?.environment['BACKEND_API_KEY']);
  });

  it('lets the backend reach one thing of the engine, the listener for its events', () => {
    const shared = new Set(services['waha']?.networks);
    for (const name of ['api', 'worker']) {
      expect(services[name]?.networks.filter((network) => shared.has(network))).toEqual(['calls']);
      const { BACKEND_NETWORK: range = '' } = environmentOf(name);
      // `test/api/network/backend-network.test.ts` shows what an engine with this setting answers there.
      expect(loadConfig(environmentOf(name)).backendNetwork).toEqual([range]);
      expect(networks['calls']?.ipam?.config.map(({ subnet }) => interpolate(subnet))).toEqual([range]);
    }
    // Without a way outside, no other network of the engine's is routed to from there.
    expect(networks['calls']?.internal).toBe(true);
    expect(all.filter(([, service]) => service.networks.includes('calls')).map(([name]) => name)).toEqual([
      'api',
      'worker',
      'waha',
    ]);
    expect(new URL(environmentOf('worker')['BACKEND_CALLBACK_URL'] ?? '').host).toBe('api:3000');
  });

  it('gives workers their own way to webhooks and models', () => {
    const ways = (name: string) => services[name]?.networks.filter((network) => networks[network] === null);
    expect(ways('worker')).toEqual(['outside']);
    expect(ways('api')).toEqual(['edge']);
    expect(ways('waha')).toEqual(['backend']);
  });

  it('keeps the backend, which is not our code, away from the data, from Temporal and from the files of the engine', () => {
    const reachable = (name: string): string[] => {
      const own = new Set(services[name]?.networks);
      return all.flatMap(([other, service]) =>
        other !== name && service.networks.some((network) => own.has(network)) ? [other] : [],
      );
    };
    expect(reachable('waha')).toEqual(['api', 'worker', 's3-backend']);
    expect(reachable('s3-backend')).toEqual(['waha']);
    expect(networks['data']).toEqual({ internal: true });
    expect(networks['temporal']).toEqual({ internal: true });
    expect(new Set(all.flatMap(([, service]) => service.networks))).toEqual(new Set(Object.keys(networks)));
    for (const key of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      expect(services['waha']?.environment[`WAHA_${key}`]).toMatch(REQUIRED);
      expect(services['waha']?.environment[`WAHA_${key}`]).not.toBe(services['api']?.environment[key]);
    }
  });

  it('publishes a port only from the edge, since an internal network has none', () => {
    for (const [name, { ports, networks: own }] of all)
      if (ports.length > 0) expect([name, own]).toContainEqual(expect.arrayContaining(['edge']));
  });

  it('names every variable of .env in the page that says how to make it', () => {
    const page = readFileSync(join(ROOT, 'docs/operate/deploy.md'), 'utf8');
    const asked = [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, variable = '']) => variable);
    expect([...new Set(asked)].filter((variable) => !page.includes(variable))).toEqual([]);
  });
});

function neededInProduction(): string[] {
  try {
    loadConfig({ NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.message.matchAll(/^ {2}- ([A-Z0-9_]+): must be set/gm)].map(([, variable = '']) => variable);
  }
}
