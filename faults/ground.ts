import { randomBytes } from 'node:crypto';
import { EngineProcess, newMachine, removeMachine } from '../demo/engine-process.ts';
import type { Machine } from '../demo/engine-process.ts';
import { SandboxControl } from '../demo/sandbox-control.ts';
import { WebhookReceiver } from '../demo/webhook-receiver.ts';
import { stopPostgres } from '../embedded/postgres/postgres.ts';
import { stopTemporal } from '../embedded/temporal/launch.ts';
import { startSandbox } from '../sandbox/main.ts';
import type { Sandbox } from '../sandbox/main.ts';
import { connectAccounts } from './accounts.ts';
import type { Account } from './accounts.ts';
import { FileServer } from './file-server.ts';
import { postgresOf, temporalOf } from './strikes/servers.ts';

const WEBHOOK_SECRET = 'the-webhook-secret-of-the-fault-proofs';
/** What the sandbox sends late, it sends within this time (faults/strikes/kills.ts). */
export const ABSENT_AFTER_BREAK_MS = 3_000;

/** "Certainly absent" is believed after seconds instead of minutes, and nobody is paced: a simulation takes no offence. */
const SETTINGS = {
  SETTLE_ABSENT_AFTER_BREAK_MS: String(ABSENT_AFTER_BREAK_MS),
  SETTLE_ABSENT_AFTER_ERROR_MS: '1000',
  PACE_PER_MINUTE: '0',
  FIRST_CONTACTS_PER_DAY: '0',
};

interface Choices {
  root?: string;
  settings?: Record<string, string>;
}

/**
 * Where the faults strike: one machine with an engine as `npm start` runs it, and beside it what lives on when the engine
 * is killed: the network, the receiver of its webhooks, and the server of the files that it sends.
 */
export class Ground {
  readonly machine: Machine;
  readonly receiver = new WebhookReceiver(WEBHOOK_SECRET);
  readonly files = new FileServer();
  readonly sandbox: SandboxControl;
  accounts: readonly Account[] = [];
  fileUrl = '';
  /** How often something was killed that may have had events on their way. */
  deaths = 0;
  readonly #network: Sandbox;
  #engine: EngineProcess | undefined;

  private constructor(machine: Machine, network: Sandbox, sandbox: SandboxControl) {
    this.machine = machine;
    this.#network = network;
    this.sandbox = sandbox;
  }

  /** With the engine of another release, or reached at another address, where the choices say so. */
  static async open(inherited: NodeJS.ProcessEnv, seed: number, choices: Choices = {}): Promise<Ground> {
    const apiKey = randomBytes(16).toString('hex');
    const network = await startSandbox({ port: 0, apiKey, seed, autoScanAfterMs: null });
    const settings = {
      ...SETTINGS,
      ...choices.settings,
      BACKEND_URL: network.url,
      BACKEND_API_KEY: apiKey,
      // A process apart has no model of its own.
      LLM_BASE_URL: `${network.url}/llm/v1`,
      LLM_API_KEY: apiKey,
      LLM_MODELS: JSON.stringify([{ id: 'sandbox-model', provider: 'openai-compatible' }]),
    };
    const machine = await newMachine(inherited, settings, choices.root);
    const ground = new Ground(machine, network, new SandboxControl(network.url, apiKey));
    ground.fileUrl = await ground.files.listen();
    const dashboardUrl = await ground.receiver.listen();
    try {
      await ground.startEngine();
      ground.accounts = await connectAccounts(machine, ground.sandbox, {
        dashboardUrl,
        webhookSecret: WEBHOOK_SECRET,
      });
    } catch (error) {
      await ground.close({ keepData: true });
      throw error;
    }
    return ground;
  }

  get engine(): EngineProcess {
    if (!this.#engine) throw new Error('No engine has been started.');
    return this.#engine;
  }

  async startEngine(): Promise<void> {
    this.#engine = await EngineProcess.start(this.machine);
  }

  /** With kill -9: the servers that it started live on. */
  async killEngine(): Promise<void> {
    this.deaths += 1;
    await this.engine.signal('SIGKILL');
  }

  /** Ends what it started, and nothing else. The data directory stays when somebody has to look into it. */
  async close({ keepData }: { keepData: boolean }): Promise<void> {
    if (this.#engine && !this.#engine.hasExited) await this.#engine.stop();
    await this.#network.close();
    this.receiver.close();
    this.files.close();
    // A killed engine leaves its servers behind for the next start, which does not come any more.
    const [temporal, postgres] = [temporalOf(this.machine.dataDir), await postgresOf(this.machine.dataDir)];
    if (temporal) await stopTemporal(temporal);
    if (postgres) await stopPostgres(postgres);
    if (!keepData) await removeMachine(this.machine);
  }
}
