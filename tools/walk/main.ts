import { startTestServers } from '../../test/global-setup.ts';
import tearDown from '../../test/global-teardown.ts';
import { anAgencyWithScopedKey, call } from '../../test/support/client.ts';
import type { Agency } from '../../test/support/client.ts';
import { startEngine } from '../../test/support/engine.ts';
import type { TestEngine } from '../../test/support/engine.ts';
import { findRow, untilCount } from '../../test/support/rows.ts';
import { personWrites } from '../../test/support/sandbox-record.ts';
import { send } from '../../test/support/sends.ts';
import { Entered, filesOfWorkflow, isFramework } from './entered.ts';

/*
 * Prints the files that each act enters, in the order of first use: `npm run walk`, or `npm run walk -- send takeover`.
 * An act waits for rows, because a request for its outcome would enter files of its own.
 */

interface Act {
  /** The workflows that it starts. */
  workflows: readonly string[];
  run: (engine: TestEngine, agency: Agency) => Promise<void>;
}

const PHONE = '15550100901';
const CHAT = { chatId: `${PHONE}@c.us` };
const AUTOMATION = 'ask-satisfaction';
/** The engine's own polls and schedules are seen within this time, so that they count to no act. */
const REST_MS = 5_000;

const ACTS: Readonly<Record<string, Act>> = {
  send: {
    workflows: ['deliverMessage'],
    async run(engine, agency) {
      const { messageId } = await send(engine, agency, PHONE, 'Hello');
      await untilCount(engine.database, 'message', { id: messageId, status: ['sent', 'delivered', 'read'] });
    },
  },
  inbound: {
    workflows: [],
    async run(engine, agency) {
      await personWrites(engine, agency.session.name, { from: PHONE, text: 'Good morning' });
      await untilCount(engine.database, 'message', { body: 'Good morning' });
    },
  },
  takeover: {
    workflows: [],
    async run(engine, agency) {
      const id = await conversationId(engine);
      await ask(engine, agency, 'POST', `/api/v1/conversations/${id}/assign`, { assignee: 'ada' });
    },
  },
  automation: {
    workflows: ['runAutomation'],
    async run(engine, agency) {
      const run = { automation: AUTOMATION, conversationId: await conversationId(engine) };
      await ask(engine, agency, 'POST', '/api/v1/automation-executions', run);
      await untilCount(engine.database, 'automationExecution', { waitsFor: 'reply' });
    },
  },
};

async function conversationId(engine: TestEngine): Promise<string> {
  return (await findRow(engine.database, 'conversation', CHAT, ['id'])).id;
}

async function ask(engine: TestEngine, agency: Agency, method: string, path: string, body: object): Promise<void> {
  const { agencyId, tenantId, dashboardKey: key } = agency;
  const { status } = await call(engine, method, path, { key, body: { agencyId, tenantId, ...body } });
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}.`);
}

function shown(title: string, files: readonly string[]): string {
  return [`  ${title}: ${files.length}`, ...files.map((file) => `    ${file}`), ''].join('\n');
}

await startTestServers();
try {
  const engine = await startEngine({ sandbox: { ackDelayMs: 100 } });
  try {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: 'walk' });
    await ask(engine, agency, 'PUT', `/api/v1/automations/${AUTOMATION}`, { enabled: true });
    const chosen = process.argv.slice(2);
    const entered = await Entered.begin();
    await entered.during(() => new Promise((resolve) => setTimeout(resolve, REST_MS)));
    for (const [name, { workflows, run }] of Object.entries(ACTS)) {
      const files = [...(await entered.during(() => run(engine, agency))), ...workflows.flatMap(filesOfWorkflow)];
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      process.stdout.write(`${name}: ${files.length} files\n`);
      process.stdout.write(
        shown(
          'subject',
          files.filter((file) => !isFramework(file)),
        ),
      );
      process.stdout.write(shown('framework', files.filter(isFramework)));
    }
  } finally {
    await engine.close();
  }
} finally {
  await tearDown();
}
