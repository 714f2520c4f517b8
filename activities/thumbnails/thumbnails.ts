import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createFairSlots } from '../../domain/fair-slots.ts';
import type { FileContent } from '../../domain/sending/media.ts';
import type { Made } from './thumbnail-result.ts';

export type Thumbnails = ReturnType<typeof createThumbnails>;

const PROGRAM = fileURLToPath(new URL('./program.mjs', import.meta.url));
/** The program has the whole file in memory. */
const MAX_FILE_BYTES = 32 * 1_048_576;
const MAX_HEAP_MB = 64;
/** One picture at a time, because its pixels are in memory. */
const PLACES = { perOwner: 1, inAll: 1, waitingPerOwner: 64, takesTurns: true };

interface Options {
  /** A picture without its turn within this time gets no thumbnail. */
  waitMs?: number;
  /** A picture that takes longer is given up. */
  timeoutMs?: number;
  /** The program ends after this time without pictures, and starts again with the next. */
  idleMs?: number;
  program?: string;
}

/** Makes thumbnails in a process of its own (`program.mjs`), which starts with the first picture. */
export function createThumbnails({
  waitMs = 10_000,
  timeoutMs = 10_000,
  idleMs = 10_000,
  program = PROGRAM,
}: Options = {}) {
  const places = createFairSlots(PLACES);
  let running: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;

  /** Makes the thumbnail of an agency's picture; null when there were too many before it. Never throws. */
  async function make(agencyId: string, picture: FileContent, turnWithinMs = waitMs): Promise<Made | null> {
    if (picture.sizeBytes > MAX_FILE_BYTES) return { refused: 'too_large' };
    const giveBack = await places.acquire(agencyId, turnWithinMs);
    if (giveBack === null) return null;
    try {
      return await ask(picture);
    } finally {
      giveBack();
    }
  }

  async function ask(picture: FileContent): Promise<Made> {
    clearTimeout(idle);
    const child = (running ??= start());
    const answer = Promise.withResolvers<Made>();
    const hear = (word: Made): void => answer.resolve(word);
    const end = (): void => answer.resolve({ refused: 'crashed' });
    child.once('message', hear).once('exit', end).once('error', end);
    const timer = setTimeout(() => answer.resolve({ refused: 'too_slow' }), timeoutMs);
    try {
      // A program that ends while it is told of the picture has not taken it.
      say(child, picture).catch(end);
      const word = await answer.promise;
      if ('refused' in word && (word.refused === 'too_slow' || word.refused === 'crashed')) stop(child);
      return word;
    } finally {
      clearTimeout(timer);
      child.off('message', hear).off('exit', end).off('error', end);
      idle = setTimeout(() => stop(child), idleMs).unref();
    }
  }

  function start(): ChildProcess {
    const child = fork(program, [], {
      // Neither the engine's secrets nor its flags. One picture at a time needs one thread and one arena of memory.
      env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1' },
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, '--max-semi-space-size=1', '--expose-gc', '--no-warnings'],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', () => stop(child));
    // A program that has ended takes no more; its end is the answer.
    child.stdin?.on('error', () => stop(child));
    child.once('exit', () => stop(child));
    // It does not keep the engine from ending.
    child.unref();
    child.channel?.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    return child;
  }

  function stop(child: ChildProcess): void {
    if (running === child) running = null;
    child.kill('SIGKILL');
  }

  return { make, stop: () => (running === null ? undefined : stop(running)) };
}

/** Hands over the picture piece by piece, each when the one before is taken, so that it is never in our memory. */
async function say({ stdin }: ChildProcess, picture: FileContent): Promise<void> {
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (stdin === null) reject(new Error('The program has no input.'));
      else stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  const head = Buffer.alloc(4);
  head.writeUInt32BE(picture.sizeBytes);
  await write(head);
  for await (const piece of picture.chunks()) await write(piece);
}
