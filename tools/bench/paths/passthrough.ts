import { aKeyOf, aSession, anAgency } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { startChild } from '../child.ts';
import type { Child } from '../child.ts';
import { closedLoop } from '../load.ts';
import type { Get, Load, Post } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';

const CONNECTIONS = 16;
const ROUNDS = 3;
/** As many as let all connections work at once: a session has four requests at a time. */
const SESSIONS = 4;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Measures requests for routes of the backend: through the engine with authentication, the table of routes, its bounds
 * and its record, straight to the sandbox, and through a plain proxy. All take turns on the same sandbox.
 */
export async function passthrough(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const engine = await machine.startEngine('all');
  const startProxy = (...more: string[]): Promise<Child> =>
    startChild('./bare/proxy.ts', [machine.sandboxUrl, ...more], { env: machine.env(), ready: /^http/ });
  const proxy = await startProxy();
  const keepingProxy = await startProxy('keep-alive');
  try {
    const sessions = [await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true })];
    while (sessions.length < SESSIONS) sessions.push(await aSession(engine.url, `passed${sessions.length}`));
    const keys = await Promise.all(sessions.map((session) => aKeyOf(engine.url, session)));
    const load = { connections: CONNECTIONS, seconds };
    const run = (url: string, keyed: boolean): Promise<Load> =>
      closedLoop(
        url,
        (index) => request(index, sessions, keyed ? keys : [machine.sandboxHeaders['x-api-key'] ?? '']),
        load,
      );
    const ways = {
      engine: () => run(engine.url, true),
      straight: () => run(machine.sandboxUrl, false),
      proxy: () => run(proxy.line, false),
      keepingProxy: () => run(keepingProxy.line, false),
    };
    for (const way of Object.values(ways)) await way();
    const rates: Record<keyof typeof ways, number[]> = { engine: [], straight: [], proxy: [], keepingProxy: [] };
    for (let n = 0; n < ROUNDS; n += 1) {
      rates.straight.push((await ways.straight()).perSecond);
      rates.engine.push((await ways.engine()).perSecond);
      rates.proxy.push((await ways.proxy()).perSecond);
      rates.keepingProxy.push((await ways.keepingProxy()).perSecond);
    }
    const own = median(rates.engine);
    return [
      row('passthrough, beside the same requests straight to the sandbox', own, median(rates.straight), 0.35),
      row('passthrough, beside http-proxy-3 in front of the sandbox', own, median(rates.proxy), 1.3),
      row('passthrough, beside http-proxy-3 that keeps its connections', own, median(rates.keepingProxy), null),
    ];
  } finally {
    await proxy.stop();
    await keepingProxy.stop();
    await engine.stop();
  }
}

function row(path: string, own: number, other: number, aim: number | null): Result {
  const ratio = own / other;
  return {
    path,
    measured: `${round(own, 0)} /s`,
    baseline: `${round(other, 0)} /s`,
    ratio,
    aim: aim === null ? '' : `≥ ${aim}`,
    met: aim === null || ratio >= aim,
  };
}

/** Reads and changes take turns. */
function request(index: number, sessions: readonly BenchSession[], keys: readonly string[]): Post | Get {
  const at = index % sessions.length;
  const name = sessions[at]?.name ?? '';
  const key = keys[at % keys.length] ?? '';
  if (Math.floor(index / sessions.length) % 2 === 0) {
    return { method: 'GET', path: `/api/${name}/labels`, headers: { 'x-api-key': key } };
  }
  const body = JSON.stringify({ session: name, chatId: '15552001000@c.us' });
  return { path: '/api/startTyping', headers: { ...JSON_TYPE, 'x-api-key': key }, body };
}
