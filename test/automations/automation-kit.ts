import { afterAll } from '@jest/globals';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { z } from 'zod';
import { beginDueExecutions } from '../../db/automations/due.ts';
import { Timestamp } from '../../db/engine/columns.ts';
import { rows } from '../../db/engine/rows.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { installRuntime } from '../../worker/runtime.ts';
import type * as automations from '../../workflows/automations/index.ts';
import { recordExecutions } from './histories.ts';
import { makePartitions, untilNextMs } from './next-moment.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngineOptions } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { rowsOf } from '../support/rows.ts';
import { timeSkippingServer } from '../support/servers.ts';
import { backendOf, KitContact } from './kit-contact.ts';
import { aSystem } from './kit-system.ts';
import { settle } from './settle.ts';

/** The name by which the API knows what the index exports: `welcomeContact` is `welcome-contact`. */
type NameOf<Exported extends string> = Exported extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${NameOf<Rest>}`
  : '';
export type AutomationName = NameOf<keyof typeof automations>;

const KitRun = z.object({
  begunAt: Timestamp,
  status: z.string(),
  /** Why it has not come to its end, such as `code_failed`; null if it has, or has not yet. */
  reason: z.string().nullable(),
});

const DAY_MS = 86_400_000;
const MAX_DUE = 100;

/**
 * Tries automations against everything that they meet in life: the API, PostgreSQL, the worker and the sandbox, which
 * plays the contacts. Only Temporal is another, which skips the time in which nothing happens. A file awaits it before
 * its first `describe`; its tests share it, each with contacts of its own.
 */
export async function automationKit(options: Pick<TestEngineOptions, 'automations'> = {}) {
  installRuntime(createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' }), null);
  const environment = await TestWorkflowEnvironment.createTimeSkipping({ server: timeSkippingServer() });
  // An automation that cannot be loaded ends the file here, before anything would stop Temporal.
  const engine = await startEngine({
    ...options,
    temporal: { address: environment.address, namespace: 'default' },
  }).catch(async (error: unknown) => {
    await environment.teardown();
    throw error;
  });
  const { database } = engine;
  afterAll(async () => {
    await recordExecutions(engine);
    await engine.close();
    await environment.teardown();
  });
  const agency = await anAgencyWithScopedKey(engine, { agencyId: 'kit' });
  const scene = { engine, agency, settle: () => settle(engine) };
  let people = 0;
  let enabled: AutomationName | null = null;

  async function set(automation: AutomationName, set: { enabled: boolean; params?: object }): Promise<void> {
    const { tenantId, dashboardKey: key } = agency;
    const { status, body } = await call(engine, 'PUT', `/api/v1/automations/${automation}`, {
      key,
      body: { tenantId, ...set },
    });
    if (status !== 200) throw new Error(`${automation} cannot be set: ${JSON.stringify(body)}`);
  }

  /** Begins and does what is due, as the running engine does, which also looks for what is due by the clock alone. */
  async function settleWhatIsDue(): Promise<void> {
    await scene.settle();
    await database.transaction((tx) => beginDueExecutions(tx, MAX_DUE));
    await scene.settle();
  }

  return {
    /** Switches the automation on, with these parameters, and the one before it off. */
    async enable(automation: AutomationName, params: object = {}): Promise<void> {
      if (enabled !== null && enabled !== automation) await set(enabled, { enabled: false });
      enabled = automation;
      await set(automation, { enabled: true, params });
    },

    /**
     * Somebody who has not written yet. The last four digits of the phone say what the contact does with what is sent
     * (docs/start/sandbox.md): these read it.
     */
    contact({ name = 'Ada', lastDigits = '1234' }: { name?: string; lastDigits?: string } = {}): KitContact {
      people += 1;
      if (enabled === null) throw new Error('Switch an automation on first: await kit.enable(name)');
      return new KitContact(scene, { name, automation: enabled, phone: `1555${100 + people}${lastDigits}` });
    },

    /**
     * Lets time pass, and stops at each moment at which an execution has waited long enough or a trigger is due by the
     * clock alone, also for executions that have begun on the way. So they begin at their time, and do what they have to
     * do before it goes on. The clocks of the database and of Temporal move together.
     */
    async after(ms: number): Promise<void> {
      for (let leftMs = ms; ;) {
        await settleWhatIsDue();
        if (leftMs <= 0) return;
        const hopMs = await untilNextMs(database, agency, leftMs);
        await makePartitions(database, hopMs);
        database.clock.advance(hopMs);
        await environment.sleep(hopMs);
        leftMs -= hopMs;
      }
    },

    /** The time that the tests have come to. */
    now: (): Date => database.clock.now(),

    /** Every run of the automation, the first one first, also those without a conversation. */
    async runs(): Promise<z.output<typeof KitRun>[]> {
      await scene.settle();
      return database.read((queries) => {
        return rows(queries, KitRun)`
          select created_at as "begunAt", status, reason from automation_execution
          where definition = ${enabled} order by created_at, id`;
      });
    },

    /** Sets the working hours of the tenant's persona; null has none. The agent says nothing. */
    async isThere(workingHours: readonly { day: string; from: string; to: string }[] | null): Promise<void> {
      const { tenantId, dashboardKey: key } = agency;
      const body = { tenantId, active: false, workingHours };
      const { status } = await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', { key, body });
      if (status !== 200) throw new Error('The working hours cannot be set.');
    },

    /** A label that the account has; answers its id. */
    async aLabel(name: string): Promise<string> {
      return z.object({ id: z.string() }).parse(await backendOf(scene, 'POST', '/labels', { name })).id;
    },

    /** The next answer of the model, such as `{ json: { isUrgent: true } }` or `{ status: 500 }`. */
    modelAnswers: (...replies: object[]): Promise<unknown> => engine.control('POST', '/llm/script', { replies }),

    /** A tenant's own system, which automations call. */
    aSystem: () => aSystem(engine, agency),

    /** A program says something to the contact by the API. Resolves when it is delivered, or has been read. */
    async apiSays(contact: KitContact, text: string, until: 'delivered' | 'read' = 'delivered'): Promise<void> {
      const { tenantId, dashboardKey: key } = agency;
      const body = { tenantId, to: contact.phone, text };
      const { status, body: accepted } = await call(engine, 'POST', '/api/v1/messages/send', { key, body });
      if (status !== 202) throw new Error('The message is not accepted.');
      const told = sql<object>`select 1 from message where id = ${accepted['messageId']} and ack >= ${until === 'read' ? 3 : 2}`;
      await eventually(async () => (await rowsOf(database, told)).length > 0, { what: `the message to be ${until}` });
      await scene.settle();
    },

    async afterDays(days: number): Promise<void> {
      await this.after(days * DAY_MS);
    },
  };
}
