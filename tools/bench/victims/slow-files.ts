import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { anAgency, sendTo } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from './beside.ts';
import { probeSends } from './send-probe.ts';
import type { Probe } from './send-probe.ts';

const ABUSERS = ['abuser', 'other-abuser'];
const FILES_EACH = 80;
const DRIP_MS = 500;
const FILE = Buffer.from(`%PDF-1.4\n${'-'.repeat(20_000)}\n%%EOF\n`);
const PER_SECOND = 2;
const SECONDS = 10;
const PATIENCE_MS = 30_000;

/** Measures attachments of an agency while the file servers of two others give a byte now and then. */
export async function slowFiles(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine);
  const files = await startFiles();
  try {
    const victim = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    for (const agencyId of ABUSERS) {
      await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true, agencyId });
    }
    const scene = { machine, url: fleet.url, sessionId: victim.id };
    const contentOf = (text: string) => ({ text, attachments: [{ kind: 'document', url: `${files.url}/file.pdf` }] });
    const probe = (word: string, seconds: number): Promise<Probe> =>
      probeSends(scene, { word, perSecond: PER_SECOND, seconds, patienceMs: PATIENCE_MS, contentOf });
    await probe('warm', 3);
    const alone = await probe('alone', SECONDS);
    let index = 0;
    const slow = { text: undefined, attachments: [{ kind: 'document', url: `${files.url}/slow.pdf` }] };
    await posts(fleet.url, ABUSERS.length * FILES_EACH, () =>
      sendTo(index, { ...slow, agencyId: ABUSERS[index++ % ABUSERS.length] }),
    );
    const beside = await probe('beside', SECONDS);
    const path = `attachments of an agency beside ${ABUSERS.length} whose file servers drip`;
    const more = `; ${files.dripping()} dripped${beside.lost === 0 ? '' : `, ${beside.lost} LOST`}`;
    return [besideRow(path, beside.latencies, alone.latencies, more)];
  } finally {
    // The worker would wait for the slow ones when it stops.
    await files.stop();
    await fleet.stop();
  }
}

interface Files {
  url: string;
  /** Counts the files that are being dripped. */
  dripping(): number;
  stop(): Promise<void>;
}

async function startFiles(): Promise<Files> {
  const drips = new Set<NodeJS.Timeout>();
  const server: Server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': FILE.length });
    if (request.url !== '/slow.pdf') {
      response.end(FILE);
      return;
    }
    let sent = 0;
    const drip = setInterval(() => response.write(FILE.subarray(sent, ++sent)), DRIP_MS);
    drips.add(drip);
    response.on('close', () => {
      clearInterval(drip);
      drips.delete(drip);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    dripping: () => drips.size,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
