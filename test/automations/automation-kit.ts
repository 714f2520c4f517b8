import { afterAll } from '@jest/globals';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { z } from 'zod';
import { beginDueExecutions } from '../../db/automations/due.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { installRuntime } from '../../worker/runtime.ts';
import type * as automations from '../../workflows/automations/index.ts';
import { recordExecutions } from './histories.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
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

/** Beside what is waited for, so that the timer of the workflow has certainly ended. */
const SLACK_MS = 1_000;
const DAY_MS = 86_400_000;
const MAX_DUE = 100;

/**
 * Tries automations against everything that they meet in life: the API, PostgreSQL, the worker and the sandbox, which
 * plays the contacts. Only Temporal is another, which skips the time in which nothing happens. A file awaits it before
 * its first `describe`; its tests share it, each with contacts of its own.
 */
export async function automationKit() {
  installRuntime(createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' }), null);
  const environment = await TestWorkflowEnvironment.createTimeSkipping({ server: timeSkippingServer() });
  const engine = await startEngine({ temporal: { address: environment.address, namespace: 'default' } });
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

  /** How long until the next execution has waited long enough; null when none waits. */
  async function nextWaitMs(): Promise<number | null> {
    const [next] = await rowsOf(
      database,
      sql<{ atMs: number | null }>`
        select (extract(epoch from min(waits_until)) * 1000)::float8 as "atMs" from automation_execution
        where status = 'running'`,
    );
    const atMs = next?.atMs ?? null;
    return atMs === null ? null : Math.max(0, atMs - database.clock.now().getTime());
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
     * (docs/sandbox.md): these read it.
     */
    contact({ name = 'Ada', lastDigits = '1234' }: { name?: string; lastDigits?: string } = {}): KitContact {
      people += 1;
      if (enabled === null) throw new Error('Switch an automation on first: await kit.enable(name)');
      return new KitContact(scene, { name, automation: enabled, phone: `1555${100 + people}${lastDigits}` });
    },

    /**
     * Lets time pass, from one moment for which an execution waits to the next, and lets the executions do what is due in
     * it. The clocks of the database and of Temporal move together.
     */
    async after(ms: number): Promise<void> {
      for (let leftMs = ms; leftMs > 0;) {
        await scene.settle();
        const nextMs = await nextWaitMs();
        const hopMs = nextMs === null ? leftMs : Math.min(leftMs, nextMs + SLACK_MS);
        database.clock.advance(hopMs);
        await environment.sleep(hopMs);
        await database.transaction((tx) => beginDueExecutions(tx, MAX_DUE));
        leftMs -= hopMs;
      }
      await scene.settle();
    },

    now: (): Date => database.clock.now(),

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

    /** What the model answers next (docs/sandbox.md), such as `{ json: { isUrgent: true } }` or `{ status: 500 }`. */
    modelAnswers: (...replies: object[]): Promise<unknown> => engine.control('POST', '/llm/script', { replies }),

    /** What a tenant has built, to be called by automations. */
    aSystem: () => aSystem(engine, agency),

    /** A program says something to the contact by the API. */
    async apiSays(contact: KitContact, text: string): Promise<void> {
      const { tenantId, dashboardKey: key } = agency;
      const body = { tenantId, to: contact.phone, text };
      const { status, body: accepted } = await call(engine, 'POST', '/api/v1/messages/send', { key, body });
      if (status !== 202) throw new Error('The message is not accepted.');
      const told = sql<object>`select 1 from message where id = ${accepted['messageId']} and ack >= 2`;
      await eventually(async () => (await rowsOf(database, told)).length > 0, { what: 'the message to be delivered' });
      await scene.settle();
    },

    async afterDays(days: number): Promise<void> {
      await this.after(days * DAY_MS);
    },
  };
}
