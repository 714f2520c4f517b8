import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineProcess, newMachine, removeMachine } from '../../demo/engine-process.ts';
import type { Machine } from '../../demo/engine-process.ts';
import { SandboxControl } from '../../demo/sandbox-control.ts';
import { until } from '../../demo/until.ts';
import { stopPostgres } from '../../../local/embedded/postgres/postgres.ts';
import { stopTemporal } from '../../../local/embedded/temporal/launch.ts';
import { postgresOf, temporalOf } from '../../faults/strikes/servers.ts';
import { startSandbox } from '../../../local/sandbox/main.ts';
import type { Sandbox } from '../../../local/sandbox/main.ts';
import { Engine } from '../../../packages/typescript/src/index.ts';
import { Receiver } from './receiver.ts';

export const AGENCY = 'bikes';
export const TENANT = 'shop';
const WEBHOOK_SECRET = 'the-webhook-secret-of-the-browser-proofs';

/** Nothing of it is what the browser is to show: how fast one may ask and send is proven elsewhere. */
const SETTINGS = {
  PACE_PER_MINUTE: '0',
  FIRST_CONTACTS_PER_DAY: '0',
  API_RATE_PER_MINUTE: '0',
  API_RATE_PER_MINUTE_OF_AGENCY: '0',
  FAILED_KEYS_PER_MINUTE: '1000',
  PUBLIC_RATE_PER_MINUTE: '0',
  LOG_LEVEL: 'warn',
  // The receiver of webhooks is on this machine.
  EGRESS_ALLOW: '127.0.0.0/8',
  LLM_MODELS: JSON.stringify([{ id: 'sandbox-model', provider: 'openai-compatible' }]),
};

/**
 * An engine as `npm start` runs it, with one dashboard. The network and the receiver of webhooks stand beside it, so that
 * people go on writing while it is killed.
 */
export class Scene {
  readonly machine: Machine;
  readonly receiver = new Receiver(WEBHOOK_SECRET);
  readonly sandbox: SandboxControl;
  readonly #network: Sandbox;
  #process: EngineProcess | undefined;
  /** The dashboard's key, and a client with it for the one tenant. */
  key = '';
  receiverUrl = '';
  readonly secret = WEBHOOK_SECRET;

  private constructor(machine: Machine, network: Sandbox, sandbox: SandboxControl) {
    this.machine = machine;
    this.#network = network;
    this.sandbox = sandbox;
  }

  static async open(inherited: NodeJS.ProcessEnv): Promise<Scene> {
    const apiKey = randomBytes(16).toString('hex');
    const network = await startSandbox({ port: 0, apiKey, autoScanAfterMs: null });
    const machine = await newMachine(inherited, {
      ...SETTINGS,
      BACKEND_URL: network.url,
      BACKEND_API_KEY: apiKey,
      LLM_BASE_URL: `${network.url}/llm/v1`,
      LLM_API_KEY: apiKey,
    });
    const scene = new Scene(machine, network, new SandboxControl(network.url, apiKey));
    try {
      scene.receiverUrl = await scene.receiver.listen();
      await scene.startEngine();
      scene.key = await scene.register(AGENCY, 'Bike shops');
    } catch (error) {
      await scene.close();
      throw error;
    }
    return scene;
  }

  get url(): string {
    return this.machine.url;
  }

  /** Asks as the dashboard, for its one tenant. */
  get engine(): Engine {
    return new Engine({ url: this.url, key: this.key, tenantId: TENANT });
  }

  /** The address that the start prints: it opens the console once. */
  get firstLink(): string {
    const link = /\S+\/console#ticket=\S+/.exec(this.#process?.output ?? '');
    if (!link) throw new Error('The start has printed no address of the console.');
    return link[0];
  }

  /** The operator's key, which sees every agency. */
  masterKey(): Promise<string> {
    return this.#secret('engine-api-key');
  }

  async startEngine(): Promise<void> {
    this.#process = await EngineProcess.start(this.machine);
  }

  async killEngine(): Promise<void> {
    await this.#process?.signal('SIGKILL');
  }

  /** Connects an account and returns its session; the phone scans at once. */
  async connectAccount(name?: string, tenantId = TENANT): Promise<{ id: string; name: string }> {
    const { sessions } = this.engine.for({ tenantId });
    const { id } = await sessions.create({ name });
    const session = await until('a QR code', async () => {
      const now = await sessions.read(id);
      return now.status === 'SCAN_QR_CODE' && now;
    });
    await this.sandbox.account(session.name, 'scan');
    await until('the account to be connected', async () => (await sessions.read(id)).status === 'WORKING');
    return { id, name: session.name };
  }

  async close(): Promise<void> {
    if (this.#process && !this.#process.hasExited) await this.#process.stop();
    await this.#network.close();
    this.receiver.close();
    // Processes of a killed engine that no other engine has adopted.
    const [temporal, postgres] = [temporalOf(this.machine.dataDir), await postgresOf(this.machine.dataDir)];
    if (temporal) await stopTemporal(temporal);
    if (postgres) await stopPostgres(postgres);
    await removeMachine(this.machine);
  }

  /** Registers a dashboard; its name may be a stranger's. */
  async register(agencyId: string, dashboardName: string): Promise<string> {
    const { dashboards } = new Engine({ url: this.url, psk: await this.#secret('internal-psk') });
    const { apiKey } = await dashboards.register({
      agencyId,
      dashboardName,
      dashboardUrl: `${this.receiverUrl}/dashboard`,
      webhookSecret: WEBHOOK_SECRET,
    });
    return apiKey;
  }

  async #secret(name: string): Promise<string> {
    return (await readFile(join(this.machine.dataDir, name), 'utf8')).trim();
  }
}
