import { createAccess } from '../../../api/route/auth.ts';
import { FailedKeys } from '../../../api/route/failed-keys.ts';
import { createIdentity } from '../../../api/route/identity.ts';
import { aKeyOf, anAgency } from '../agency.ts';
import { MASTER_KEY, PSK } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { openDatabase } from '../webhook-ground.ts';

const CHECKS = 20_000;
const ROUNDS = 5;
const MAX_US = 60;

/** Measures the CPU time of the check of a session's key that was checked lately, in a process that does nothing else. */
export async function keyCheck(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const api = await machine.startEngine('api');
  const session = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
  const apiKey = await aKeyOf(api.url, session);
  await api.stop();
  const database = await openDatabase(machine.databaseUrl, 2);
  const identity = createIdentity(database, (error) => console.error(error));
  try {
    const secrets = { masterKey: MASTER_KEY, internalPsk: PSK };
    const access = createAccess(identity, secrets, new FailedKeys(60));
    const from = { address: '127.0.0.1', method: 'GET', route: '/', params: {}, query: {} };
    const asking = { ...from, headers: { 'x-api-key': apiKey } };
    const usOnce = async (): Promise<number> => {
      const before = process.cpuUsage();
      for (let n = 0; n < CHECKS; n += 1) await access.identify({ auth: 'tenant', scope: 'passthrough' }, asking);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / CHECKS;
    };
    await usOnce();
    const rounds: number[] = [];
    for (let n = 0; n < ROUNDS; n += 1) rounds.push(await usOnce());
    const us = median(rounds);
    return [
      {
        path: 'key check, cached: CPU',
        measured: `${round(us)} µs`,
        baseline: '',
        ratio: null,
        aim: `≤ ${MAX_US} µs`,
        met: us <= MAX_US,
      },
    ];
  } finally {
    await identity.close();
    await database.close();
  }
}
