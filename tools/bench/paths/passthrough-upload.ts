import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { z } from 'zod';
import { anAgency, TARGET } from '../agency.ts';
import { startChild } from '../child.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';

const UPLOAD_MB = 100;
const AT_MOST_MB = 40;
const LOOK_EVERY_MS = 20;
const MEBIBYTE = 1_048_576;
const Taken = z.object({ bytes: z.number() });

/** Measures how much memory the API's process takes while a large file is uploaded through it. */
export async function passthroughUpload(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const whole = await machine.startEngine('all');
  const { name } = await anAgency(whole.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
  await whole.stop();
  // The sandbox takes 50 MB at most, as the real backend does.
  const sink = await startChild('./bare/upload-sink.ts', [], { env: machine.env(), ready: /^http/ });
  const api = await machine.startEngine('api', { BACKEND_URL: sink.line });
  try {
    await upload(api.url, name, UPLOAD_MB);
    await pause(2_000);
    const before = await residentMb(api.pid);
    let most = before;
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await residentMb(api.pid));
        await pause(LOOK_EVERY_MS);
      }
    })();
    const bytes = await upload(api.url, name, UPLOAD_MB);
    isOver = true;
    await watching;
    if (bytes < UPLOAD_MB * MEBIBYTE) throw new Error(`Only ${bytes} bytes have arrived.`);
    const added = most - before;
    return [
      {
        path: `passthrough, upload of ${UPLOAD_MB} MB`,
        measured: `${round(added, 0)} MB more resident`,
        baseline: `${round(before, 0)} MB before`,
        ratio: null,
        aim: `≤ ${AT_MOST_MB} MB`,
        met: added <= AT_MOST_MB,
      },
    ];
  } finally {
    await api.stop();
    await sink.stop();
  }
}

async function upload(url: string, session: string, megabytes: number): Promise<number> {
  const query = new URLSearchParams(TARGET).toString();
  const answer = await request(`${url}/api/${session}/media/convert/video?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: Readable.from(parts(megabytes)),
  });
  return Taken.parse(await answer.body.json()).bytes;
}

function* parts(megabytes: number): Generator<Buffer> {
  const part = Buffer.alloc(65_536, 'x');
  yield Buffer.from('{"data":"');
  for (let n = 0; n < (megabytes * MEBIBYTE) / part.length; n += 1) yield part;
  yield Buffer.from('"}');
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}
