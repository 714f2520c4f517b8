import { randomBytes } from 'node:crypto';
import { EngineProcess, newMachine, removeMachine } from '../demo/engine-process.ts';
import type { Machine } from '../demo/engine-process.ts';
import { SandboxControl } from '../demo/sandbox-control.ts';
import { WebhookReceiver } from '../demo/webhook-receiver.ts';
import { stopPostgres } from '../../local/embedded/postgres/postgres.ts';
import { stopTemporal } from '../../local/embedded/temporal/launch.ts';
import { startSandbox } from '../../local/sandbox/main.ts';
import type { Sandbox } from '../../local/sandbox/main.ts';
import { connectAccounts } from './accounts.ts';
import type { Account } from './accounts.ts';
import { FileServer } from './file-server.ts';
import { postgresOf, temporalOf } from './strikes/servers.ts';

const WEBHOOK_SECRET = 'the-webhook-secret-of-the-fault-proofs';
/**
 * A message counts as absent only after this time, so the sandbox sends its late messages sooner
 * (tools/faults/strikes/kills.ts).
 */
export const ABSENT_AFTER_BREAK_MS = 3_000;

/**
 * These settings let the engine believe "certainly absent" after seconds instead of minutes, and set no pace, because
 * the simulated network bans nobody.
 */
const SETTINGS = {
  SETTLE_ABSENT_AFTER_BREAK_MS: String(ABSENT_AFTER_BREAK_MS),
  SETTLE_ABSENT_AFTER_ERROR_MS: '1000',
  // Nothing proves that a native send is absent, so it would be looked for during five minutes.
  SETTLE_GIVE_UP_AFTER_MS: '60000',
  // The sandbox answers a call with a file as soon as any other.
  SETTLE_LONGEST_FILE_CALL_MS: '0',
  // A busy machine writes a backlog for longer than the usual time, and what is held meanwhile must not come again.
  WEBHOOK_TIMEOUT_MS: '30000',
  PACE_PER_MINUTE: '0',
  FIRST_CONTACTS_PER_DAY: '0',
  API_RATE_PER_MINUTE: '0',
  API_RATE_PER_MINUTE_OF_AGENCY: '0',
};

interface Choices {
  root?: string;
  settings?: Record<string, string>;
}

/**
 * The ground on which the faults strike: one machine with an engine as `npm start` runs it. The network, the receiver
 * of webhooks and the server of files stand beside it and live on when the engine is killed.
 */
export class Ground {
  readonly machine: Machine;
  readonly receiver = new WebhookReceiver(WEBHOOK_SECRET);
  readonly files = new FileServer();
  readonly sandbox: SandboxControl;
  accounts: readonly Account[] = [];
  fileUrl = '';
  /** The number of killed processes that may have had events on their way. */
  deaths = 0;
  readonly #network: Sandbox;
  #engine: EngineProcess | undefined;

  private constructor(machine: Machine, network: Sandbox, sandbox: SandboxControl) {
    this.machine = machine;
    this.#network = network;
    this.sandbox = sandbox;
  }

  /** Opens the ground. The choices may name the engine of another release or another address to reach it at. */
  static async open(inherited: NodeJS.ProcessEnv, seed: number, choices: Choices = {}): Promise<Ground> {
    const apiKey = randomBytes(16).toString('hex');
    const network = await startSandbox({ port: 0, apiKey, seed, autoScanAfterMs: null });
    const settings = {
      ...SETTINGS,
      ...choices.settings,
      BACKEND_URL: network.url,
      BACKEND_API_KEY: apiKey,
      // A worker that runs as its own process starts no sandbox, so it needs the address of this model.
      LLM_BASE_URL: `${network.url}/llm/v1`,
      LLM_API_KEY: apiKey,
      // Receivers and files are on this machine, which an engine with a backend of its own does not reach by itself.
      EGRESS_ALLOW: '127.0.0.0/8',
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

  /** Kills the engine with SIGKILL; the servers that it started live on. */
  async killEngine(): Promise<void> {
    this.deaths += 1;
    await this.engine.signal('SIGKILL');
  }

  /**
   * Ends only processes that this ground has started. The data directory stays with `keepData`, for somebody to look
   * into it.
   */
  async close({ keepData }: { keepData: boolean }): Promise<void> {
    if (this.#engine && !this.#engine.hasExited) await this.#engine.stop();
    await this.#network.close();
    this.receiver.close();
    this.files.close();
    // A killed engine leaves its servers running for the next start, and no start follows now.
    const [temporal, postgres] = [temporalOf(this.machine.dataDir), await postgresOf(this.machine.dataDir)];
    if (temporal) await stopTemporal(temporal);
    if (postgres) await stopPostgres(postgres);
    if (!keepData) await removeMachine(this.machine);
  }
}
