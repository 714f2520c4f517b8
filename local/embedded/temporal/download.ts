import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonOf } from '../error-reason.ts';
import { lastLine, runCommand } from '../process/run-command.ts';
import { StartupError } from '../startup-error.ts';
import type { TemporalRelease } from './release.ts';
import type { FetchOptions } from './wheel.ts';

/** The official download hands on to the releases' own store, which hands on once more. */
const MAX_REDIRECTS = 5;

/** Fetches the binary from the place where Temporal's own SDK downloads it. Returns the binary's path. */
export async function downloadOfficial(
  release: TemporalRelease,
  { directory, env, log }: FetchOptions,
): Promise<string> {
  log(`Temporal: fetching ${release.program} ${release.version} from temporal.download (${release.megabytes} MB)`);
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const question = `arch=${arch}&platform=${process.platform}&format=tar.gz`;
  // The timeout is short, because a person behind a firewall that drops packets should not wait minutes for the last
  // resort to fail.
  const info = await get(`https://temporal.download/${release.artifact}/v${release.version}?${question}`, 5_000);
  const { archiveUrl, fileToExtract } = parseInfo(await info.json());

  const archive = join(directory, 'archive.tar.gz');
  const { body } = await get(archiveUrl, 300_000);
  if (body === null) throw new StartupError('temporal.download: the archive is empty');
  await pipeline(Readable.fromWeb(body), createWriteStream(archive));
  const unpack = ['-xzf', archive, '-C', directory, '--', fileToExtract];
  const tar = await runCommand('tar', unpack, { env, timeoutMs: 60_000 });
  if (!tar.ok) throw new StartupError(`temporal.download: the archive cannot be unpacked (${lastLine(tar.output)})`);
  return join(directory, fileToExtract);
}

async function get(url: string, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let address = new URL(url);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (address.protocol !== 'https:') {
        throw new StartupError(`temporal.download: it leads to ${address.protocol}//, and only https is fetched`);
      }
      const response = await fetch(address, { signal, redirect: 'manual' });
      if (response.ok) return response;
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) throw new StartupError(`temporal.download: it answered ${response.status}`);
      address = new URL(location, address);
    }
    throw new StartupError('temporal.download: it redirects without end');
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`temporal.download: ${reasonOf(error)}`, { cause: error });
  }
}

function parseInfo(info: unknown): { archiveUrl: string; fileToExtract: string } {
  if (typeof info === 'object' && info !== null && 'archiveUrl' in info && 'fileToExtract' in info) {
    const { archiveUrl, fileToExtract } = info;
    if (typeof archiveUrl === 'string' && typeof fileToExtract === 'string') {
      if (isInside(fileToExtract)) return { archiveUrl, fileToExtract };
      throw new StartupError('temporal.download: it names no file inside its archive');
    }
  }
  throw new StartupError('temporal.download: it no longer answers what the SDK expects');
}

/** Tells whether the name is a plain path below the archive's top: no option of tar, no pattern, no way out. */
function isInside(name: string): boolean {
  return /^[\w][\w.-]*(?:\/[\w][\w.-]*)*$/.test(name);
}
