import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { until } from '../demo/until.ts';

export interface N8nPlace {
  program: string;
  /** The nodes of this project, built. */
  nodes: string;
  /** For n8n's settings and its log. */
  scratch: string;
  databaseUrl: string;
  port: number;
  brokerPort: number;
}

const OWNER = { email: 'owner@example.com', firstName: 'Test', lastName: 'Owner', password: 'Passw0rd-of-a-test' };
/** Its first start makes some hundred tables. */
const START_WITHIN_MS = 240_000;

const WithId = z.object({ data: z.object({ id: z.string() }) });
const Made = z.object({ data: z.object({ id: z.string(), versionId: z.string() }) });

/** A process of n8n, and its routes as its own pages use them. */
export class N8n {
  readonly url: string;
  readonly #place: N8nPlace;
  #child: ChildProcess | null = null;
  #cookie = '';

  constructor(place: N8nPlace) {
    this.#place = place;
    this.url = `http://127.0.0.1:${place.port}`;
  }

  async start(): Promise<void> {
    const { program, scratch } = this.#place;
    const log = openSync(join(scratch, 'n8n.log'), 'a');
    const child = spawn(process.execPath, [program, 'start'], {
      cwd: scratch,
      env: this.#environment(),
      stdio: ['ignore', log, log],
    });
    this.#child = child;
    await until('n8n', () => this.#isUp(child), START_WITHIN_MS);
  }

  /** As a crash would: nothing is written at the end. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Makes the owner of a fresh n8n. */
  async setUp(): Promise<void> {
    await this.#ask('POST', '/rest/owner/setup', OWNER);
  }

  async logIn(): Promise<void> {
    const { email: emailOrLdapLoginId, password } = OWNER;
    await this.#ask('POST', '/rest/login', { emailOrLdapLoginId, password });
  }

  async makeCredential(type: string, data: object): Promise<string> {
    return WithId.parse(await this.#ask('POST', '/rest/credentials', { name: type, type, data })).data.id;
  }

  /** Makes a workflow whose nodes follow each other, and activates it. Returns its id. */
  async activate(name: string, nodes: readonly { name: string }[]): Promise<string> {
    const next = nodes
      .slice(1)
      .map(({ name: to }, index) => [nodes[index]?.name ?? '', { main: [[{ node: to, type: 'main', index: 0 }]] }]);
    const settings = { executionOrder: 'v1', saveDataSuccessExecution: 'all' };
    const body = { name, nodes, connections: Object.fromEntries(next), settings, active: false };
    const { id, versionId } = Made.parse(await this.#ask('POST', '/rest/workflows', body)).data;
    await this.#ask('POST', `/rest/workflows/${id}/activate`, { versionId, name: 'first' });
    return id;
  }

  async deactivate(workflowId: string): Promise<void> {
    await this.#ask('POST', `/rest/workflows/${workflowId}/deactivate`, {});
  }

  async retry(executionId: string): Promise<void> {
    await this.#ask('POST', `/rest/executions/${executionId}/retry`, { loadWorkflow: false });
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async #isUp(child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null)
      throw new Error(`n8n ended with ${child.exitCode}: see n8n.log in ${this.#place.scratch}.`);
    const answer = await fetch(`${this.url}/healthz/readiness`).catch(() => null);
    if (!answer?.ok) return false;
    // Its routes come a moment after it calls itself ready.
    const settings = await fetch(`${this.url}/rest/settings`).catch(() => null);
    return settings?.headers.get('content-type')?.includes('json') ?? false;
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', 'browser-id': 'test', cookie: this.#cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) this.#cookie = cookies.join('; ');
    return JSON.parse(text);
  }

  #environment(): NodeJS.ProcessEnv {
    const { scratch, nodes, databaseUrl, port, brokerPort } = this.#place;
    const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl);
    const { PATH, HOME } = process.env;
    return {
      PATH,
      HOME,
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: hostname,
      DB_POSTGRESDB_PORT: databasePort,
      DB_POSTGRESDB_USER: username,
      DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
      DB_POSTGRESDB_DATABASE: pathname.slice(1),
      N8N_USER_FOLDER: scratch,
      N8N_CUSTOM_EXTENSIONS: nodes,
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      WEBHOOK_URL: `${this.url}/`,
      N8N_SECURE_COOKIE: 'false',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
    };
  }
}
