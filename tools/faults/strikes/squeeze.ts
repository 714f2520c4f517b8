import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { squeeze } from '../../demo/cpu-share.ts';
import { withChildren } from '../../demo/descendants.ts';
import { until } from '../../demo/until.ts';
import type { Ground } from '../ground.ts';
import type { Fault } from '../scene.ts';
import { letAgentAnswer } from './phone.ts';
import { postgresOf, temporalOf } from './servers.ts';

const SHARE = 0.2;
const CUSTOMERS = 100;
const CUSTOMERS_IN_SHORT = 15;
const ANSWERED_WITHIN_MS = 240_000;
const OUTAGE = 'Temporal is down';

/**
 * Leaves the engine and its servers a fifth of the CPU while customers write. The agent must answer each, later than
 * else, and nothing may be taken for an outage.
 */
export const SQUEEZE: Fault = {
  name: 'squeeze',
  title: 'a fifth of the CPU is left while customers write to the agent',
  short: 'always',
  async strike({ ground, ledger, round, short }) {
    const { sandbox } = ground;
    const [account] = ground.accounts;
    if (!account) throw new Error('No account is connected.');
    const { session } = account;
    const count = short ? CUSTOMERS_IN_SHORT : CUSTOMERS;
    const phones = Array.from({ length: count }, (_, index) => `1${200 + (round % 700)}557${1_000 + index}`);
    await letAgentAnswer(ground, account, true);
    const before = (await sandbox.sends(session)).length;
    const outagesBefore = await outages(ground);
    const squeezed = await squeeze(await processesOf(ground), SHARE);
    const startedAt = performance.now();
    try {
      for (const phone of phones) {
        const text = `round ${round}, customer ${phone} asks`;
        await sandbox.personWrites(session, phone, text);
        ledger.inbound.push({ round, text });
      }
      // The stream sends to others meanwhile, so only the chats of these customers count.
      const answered = async () => {
        const chats = new Set((await sandbox.sends(session)).slice(before).map(({ chatId }) => chatId));
        return phones.every((phone) => chats.has(`${phone}@c.us`));
      };
      await until(`answers to ${count} customers with ${squeezed.how}`, answered, ANSWERED_WITHIN_MS);
    } finally {
      await squeezed.release();
      await letAgentAnswer(ground, account, false);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const declared = (await outages(ground)) - outagesBefore;
    if (declared > 0) throw new Error(`Temporal was busy, and the engine declared it down ${declared} times.`);
    return `${squeezed.how}: ${count} customers were answered in ${seconds.toFixed(0)} s, and no outage was declared`;
  },
};

async function outages({ machine }: Ground): Promise<number> {
  const log = await readFile(join(machine.dataDir, 'engine.log'), 'utf8');
  return log.split(OUTAGE).length - 1;
}

/** The engine, its servers, and the connections that PostgreSQL already has processes for. */
async function processesOf({ engine, machine }: Ground): Promise<number[]> {
  const [temporal, postgres] = [temporalOf(machine.dataDir), await postgresOf(machine.dataDir)];
  if (!temporal || !postgres) throw new Error('A server of the engine does not run.');
  return withChildren([engine.pid, temporal.pid, postgres.pid]);
}
