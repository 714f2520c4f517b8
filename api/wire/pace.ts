import type { IncomingMessage, ServerResponse } from 'node:http';

/** The least rate of a client over the last window. */
export interface Pace {
  bytesPerSecond: number;
  windowMs: number;
}

/** Looks per window. */
const LOOKS = 5;

/**
 * Cuts an answer whose reader took less than the least rate in the last window, while bytes waited for it all the time.
 * An average over the whole answer would let a reader stop for long after a fast beginning. An answer that waits for its
 * source goes on.
 */
export function cutSlowReader(response: ServerResponse, pace: Pace): void {
  const { socket } = response;
  if (socket === null || response.closed) return;
  const stop = watch(pace, {
    moved: () => socket.bytesWritten - socket.writableLength,
    isWaited: () => socket.writableLength > 0,
    cut: () => response.destroy(),
  });
  response.once('close', stop);
}

/** Cuts a request whose client sent less than the least rate in the last window, while the engine waited for it. */
export function cutSlowWriter(request: IncomingMessage, pace: Pace): () => void {
  const { socket } = request;
  const stop = watch(pace, {
    moved: () => socket.bytesRead,
    isWaited: () => !request.complete && request.readableLength === 0,
    cut: () => request.destroy(),
  });
  request.once('close', stop);
  return stop;
}

interface Moving {
  /** Bytes that the client has taken or sent so far. */
  moved: () => number;
  /** Whether the client, and not the engine, keeps the bytes from moving. */
  isWaited: () => boolean;
  cut: () => void;
}

function watch({ bytesPerSecond, windowMs }: Pace, { moved, isWaited, cut }: Moving): () => void {
  const least = (bytesPerSecond * windowMs) / 1_000;
  let seen: number[] = [];
  const timer = setInterval(() => {
    const now = moved();
    if (!isWaited()) {
      seen = [];
      return;
    }
    const before = seen.at(-LOOKS);
    seen = [...seen.slice(1 - LOOKS), now];
    if (before === undefined || now - before >= least) return;
    clearInterval(timer);
    cut();
  }, windowMs / LOOKS).unref();
  return () => clearInterval(timer);
}
