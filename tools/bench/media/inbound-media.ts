import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import sharp from 'sharp';
import { anAgency } from '../agency.ts';
import { memoryBelow } from '../fleet/memory-use.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';

const FILES = 100;
const FILE_BYTES = 1_048_576;
const AT_MOST_MB = 100;
const LOOK_EVERY_MS = 50;
/** By then the program for thumbnails has ended, so that all of it counts. */
const REST_MS = 12_000;
const PATIENCE_MS = 180_000;

/**
 * Measures the memory that the one-process engine takes, its program for thumbnails too, while a hundred pictures of
 * a megabyte come at once; the baseline is a hundred messages without files.
 */
export async function inboundMedia(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const engine = await machine.startEngine('all');
  const database = new Client({ connectionString: machine.databaseUrl });
  await database.connect();
  try {
    const { name } = await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const picture = await aPicture();
    const write = (index: number, media?: object): Promise<unknown> =>
      machine.sandbox('POST', `/sessions/${name}/inbound`, {
        from: `1555${String(3_001_000 + index)}`,
        text: `message ${index}`,
        ...(media === undefined ? {} : { media }),
      });
    const file = (): object => ({
      mimetype: 'image/jpeg',
      // Bytes behind the end of a picture make it another file.
      data: Buffer.concat([picture, randomBytes(16)]).toString('base64'),
    });
    const count = async (what: string): Promise<number> => {
      const { rows } = await database.query<{ n: string }>(`select count(*) as n from message where ${what}`);
      return Number(rows[0]?.n);
    };
    const arrived = "direction = 'in'";
    const stored = "media ? 'stored'";
    // The first of each loads code.
    await mostDuring(
      engine.pid,
      () => Promise.all([write(0), write(1, file())]),
      () => count(stored),
      1,
    );
    const texts = await mostDuring(
      engine.pid,
      () => Promise.all(Array.from({ length: FILES }, (_, index) => write(index))),
      () => count(arrived),
      FILES + 2,
    );
    const files = await mostDuring(
      engine.pid,
      () => Promise.all(Array.from({ length: FILES }, (_, index) => write(index, file()))),
      () => count(stored),
      FILES + 1,
    );
    const pictures = await count("media->'thumbnail' ? 'width'");
    const added = files.mostMb - files.beforeMb;
    const addedByTexts = texts.mostMb - texts.beforeMb;
    const told = `program of thumbnails ${round(files.mostOfThumbnailsMb, 0)}, ${pictures} of them, ${round(files.seconds)} s`;
    return [
      {
        path: `inbound, ${FILES} pictures of 1 MB at once`,
        measured: `${round(added, 0)} MB more (${told})`,
        baseline: `without files ${round(addedByTexts, 0)} MB more`,
        ratio: null,
        aim: `≤ ${AT_MOST_MB} MB more`,
        met: added - addedByTexts <= AT_MOST_MB && pictures >= FILES,
      },
    ];
  } finally {
    await database.end();
    await engine.stop();
  }
}

/** Begins something and waits until so many rows are there; watches the memory of the engine meanwhile. */
async function mostDuring(
  pid: number,
  begin: () => Promise<unknown>,
  count: () => Promise<number>,
  wanted: number,
): Promise<{ beforeMb: number; mostMb: number; mostOfThumbnailsMb: number; seconds: number }> {
  await pause(REST_MS);
  const beforeMb = memoryOf(pid).all;
  const startedAt = performance.now();
  let mostMb = beforeMb;
  let mostOfThumbnailsMb = 0;
  const told = begin();
  while ((await count()) < wanted) {
    const { all, thumbnails } = memoryOf(pid);
    mostMb = Math.max(mostMb, all);
    mostOfThumbnailsMb = Math.max(mostOfThumbnailsMb, thumbnails);
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`Only ${await count()} of ${wanted} have come.`);
    await pause(LOOK_EVERY_MS);
  }
  await told;
  return { beforeMb, mostMb, mostOfThumbnailsMb, seconds: (performance.now() - startedAt) / 1_000 };
}

function memoryOf(pid: number): { all: number; thumbnails: number } {
  const processes = memoryBelow(pid);
  const sum = (which: typeof processes): number => which.reduce((total, { megabytes }) => total + megabytes, 0);
  return { all: sum(processes), thumbnails: sum(processes.filter(({ command }) => command.includes('thumbnails'))) };
}

/** A picture that does not compress, of the size of a file. */
async function aPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = await sharp({ create: { width: 1_000, height: 900, channels: 3, background: '#fff', noise } })
    .jpeg({ quality: 88 })
    .toBuffer();
  return Buffer.concat([picture, randomBytes(Math.max(0, FILE_BYTES - picture.length))]);
}
