import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { call } from '../demo/call.ts';
import type { Answer } from '../demo/call.ts';
import { EngineProcess, newMachine, removeMachine } from '../demo/engine-process.ts';
import type { Machine } from '../demo/engine-process.ts';
import { SandboxControl } from '../demo/sandbox-control.ts';
import { until } from '../demo/until.ts';
import { WebhookReceiver } from '../demo/webhook-receiver.ts';
import { postgresOf, temporalOf } from './servers.ts';
import { stopPostgres } from '../embedded/postgres-stop.ts';
import { stopTemporal } from '../embedded/temporal-stop.ts';

const WEBHOOK_SECRET = 'the-webhook-secret-of-the-fault-proofs';
const TENANT = { agencyId: 'faults', tenantId: 'shop' };

const Session = z.object({ name: z.string(), status: z.string() });
const WithKey = z.object({ apiKey: z.string() });

/** "Certainly absent" is believed after seconds instead of minutes: the sandbox does not send late. */
const SETTINGS = { SETTLE_ABSENT_AFTER_BREAK_MS: '3000', SETTLE_ABSENT_AFTER_ERROR_MS: '1000' };

/** Where the faults strike: one machine with an engine as `npm start` runs it, one session, one webhook receiver. */
export class Ground {
  readonly machine: Machine;
  readonly receiver = new WebhookReceiver(WEBHOOK_SECRET);
  sandbox = new SandboxControl('', '');
  session = '';
  #key = '';
  #engine: EngineProcess | undefined;

  private constructor(machine: Machine) {
    this.machine = machine;
  }

  static async open(inherited: NodeJS.ProcessEnv): Promise<Ground> {
    const ground = new Ground(await newMachine(inherited, SETTINGS));
    await ground.startEngine();
    await ground.#connect();
    return ground;
  }

  get engine(): EngineProcess {
    if (!this.#engine) throw new Error('No engine has been started.');
    return this.#engine;
  }

  async startEngine(): Promise<void> {
    this.#engine = await EngineProcess.start(this.machine);
  }

  send(to: string, text: string): Promise<Answer> {
    return call(this.machine.url, 'POST', '/api/v1/messages/send', {
      key: this.#key,
      body: { to, text },
      timeoutMs: 15_000,
    });
  }

  /** The message's own story, as a dashboard reads it. */
  async passport(messageId: string): Promise<unknown> {
    const { body } = await call(this.machine.url, 'GET', `/api/v1/inbox/messages/${messageId}/status`, {
      key: this.#key,
    });
    return body;
  }

  /** Ends what it started, and nothing else. The data directory stays when somebody has to look into it. */
  async close({ keepData }: { keepData: boolean }): Promise<void> {
    if (this.#engine && !this.#engine.hasExited) await this.#engine.stop();
    this.receiver.close();
    // A killed engine leaves its servers behind for the next start, which does not come any more.
    const [temporal, postgres] = [temporalOf(this.machine.dataDir), await postgresOf(this.machine.dataDir)];
    if (temporal) await stopTemporal(temporal);
    if (postgres) await stopPostgres(postgres);
    if (!keepData) await removeMachine(this.machine);
  }

  async #connect(): Promise<void> {
    const { url, sandboxUrl, dataDir } = this.machine;
    const secret = async (name: string): Promise<string> => (await readFile(join(dataDir, name), 'utf8')).trim();
    this.sandbox = new SandboxControl(sandboxUrl, await secret('sandbox-api-key'));
    const registered = await call(url, 'POST', '/v1/internal/dashboard/register', {
      headers: { authorization: `PSK ${await secret('internal-psk')}` },
      body: {
        agencyId: TENANT.agencyId,
        dashboardName: 'Faults',
        dashboardUrl: await this.receiver.listen(),
        webhookSecret: WEBHOOK_SECRET,
      },
    });
    const { apiKey: key } = WithKey.parse(registered.body);
    await call(url, 'POST', '/api/v1/sessions', { key, body: TENANT });
    const query = new URLSearchParams(TENANT).toString();
    this.session = await until('the session to be WORKING', async () => {
      const { body } = await call(url, 'GET', `/api/v1/sessions/status?${query}`, { key });
      const session = Session.parse(body);
      return session.status === 'WORKING' && session.name;
    });
    const made = await call(url, 'POST', '/api/v1/api-keys', { key, body: { ...TENANT, name: 'faults' } });
    this.#key = WithKey.parse(made.body).apiKey;
  }
}
