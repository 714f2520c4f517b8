import { it } from '@jest/globals';
import { execSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { startEngine } from '../support/zz-engine.ts';
import { anAgencyWithScopedKey } from '../support/client.ts';
import { send, untilStatus } from '../support/sends.ts';
const ps = () => execSync("ps -A -o pid=,ppid=,time=,cputimes=,args= --sort=-cputimes | head -200").toString();
const cpu = () => { const o: Record<string, number> = {}; for (const d of execSync("cat /proc/[0-9]*/stat 2>/dev/null || true").toString().split('\n')) { const m = /^(\d+) \((.*?)\) (.*)$/.exec(d); if (!m) continue; const f = m[3]!.split(' '); const name = m[2]!; o[name] = (o[name] ?? 0) + (Number(f[11]) + Number(f[12])) * 10; } return o; };
let last = cpu(), lt = performance.now();
function lap(name: string) { const now = cpu(), t = performance.now(); const d = Object.fromEntries(Object.entries(now).map(([k, v]) => [k, Math.round(v - (last[k] ?? 0))] as const).filter(([, v]) => v > 5)); process.stderr.write(`${name}: ${Math.round(t - lt)} ms ${JSON.stringify(d)}\n`); last = cpu(); lt = performance.now(); }
it('measures', async () => {
  lap('imports');
  const engine = await startEngine(); lap('start');
  await pause(5000); lap('idle 5s');
  const agency = await anAgencyWithScopedKey(engine, { agencyId: 'settles' }); lap('agency');
  for (let i = 0; i < 5; i++) { const first = await send(engine, agency, '15550109999', 'shows that its store shows sends'); 
  await untilStatus(engine, agency, first.messageId, 'read'); lap('a send'); }
  await engine.close(); lap('close');
});
