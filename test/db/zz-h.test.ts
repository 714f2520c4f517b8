import { it } from '@jest/globals';
import { aDatabase, aWorkingSession } from './a-database.ts';
import { runSchedule } from './takeover-schedule.ts';
it('debug', async () => {
  const lanes = await Promise.all([1,2,3,4].map(async () => { const database = await aDatabase(); return { database, sessionId: await aWorkingSession(database) }; }));
  let s = 0; const N = 200;
  const c = process.cpuUsage(); const at = performance.now();
  await Promise.all(lanes.map(async ({ database, sessionId }) => { while (s < N) { s += 1; const seed = s; const r = await runSchedule(database, sessionId, seed); if (r.violations.length) process.stderr.write(`${seed} ${r.roles.join(',')} ${r.violations}\n`); } }));
  const u = process.cpuUsage(c);
  process.stderr.write(`${(performance.now() - at) / N} ms each, node cpu ${(u.user + u.system) / 1000 / N} ms each\n`);
  await Promise.all(lanes.map(({ database }) => database.close()));
}, 160_000);
