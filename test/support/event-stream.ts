import { z } from 'zod';

/** A frame of server-sent events, as the standard says that it is read. */
export interface ReadFrame {
  event: string;
  /** The id that a reader would come back with. */
  lastEventId: string;
  retry: number | undefined;
  data: Record<string, unknown>;
}

const Data = z.record(z.string(), z.unknown());

/** Reads a stream from an open answer. */
export class StreamReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #leaving: AbortController;
  readonly #decoder = new TextDecoder();
  #text = '';
  lastEventId = '';
  comments = 0;

  constructor(response: Response, leaving: AbortController) {
    this.response = response;
    this.#reader = response.body?.getReader();
    this.#leaving = leaving;
  }

  static async open(url: string, headers: Record<string, string>): Promise<StreamReader> {
    const leaving = new AbortController();
    return new StreamReader(await fetch(url, { headers, signal: leaving.signal }), leaving);
  }

  /** The next frame; undefined when the stream has ended. */
  async next(): Promise<ReadFrame | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) {
        const read = await this.#reader?.read();
        if (!read || read.done) return undefined;
        this.#text += this.#decoder.decode(read.value, { stream: true });
        continue;
      }
      const block = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const frame = this.#frameOf(block);
      if (frame) return frame;
    }
  }

  /** The frames until the one that is wanted, with it. */
  async until(isWanted: (frame: ReadFrame, count: number) => boolean): Promise<ReadFrame[]> {
    const frames: ReadFrame[] = [];
    for (;;) {
      const frame = await this.next();
      if (!frame) throw new Error(`The stream ended after ${frames.map(({ event }) => event).join(', ')}.`);
      frames.push(frame);
      if (isWanted(frame, frames.length)) return frames;
    }
  }

  /** Returns the frames before `ready`. */
  async untilReady(): Promise<ReadFrame[]> {
    return (await this.until(({ event }) => event === 'ready')).slice(0, -1);
  }

  async take(count: number): Promise<ReadFrame[]> {
    return this.until((_, taken) => taken === count);
  }

  leave(): void {
    this.#leaving.abort();
  }

  /** A block without data is told to nobody, but its id counts. */
  #frameOf(block: readonly string[]): ReadFrame | undefined {
    let event = 'message';
    let retry: number | undefined;
    let data: string | undefined;
    for (const line of block) {
      const colon = line.indexOf(':');
      const value = line.slice(colon + 1).replace(/^ /, '');
      const field = line.slice(0, colon);
      if (field === '') this.comments += 1;
      else if (field === 'id') this.lastEventId = value;
      else if (field === 'event') event = value;
      else if (field === 'retry') retry = Number(value);
      else if (field === 'data') data = value;
      else throw new Error(`A stream has no field "${field}".`);
    }
    if (data === undefined) return undefined;
    return { event, lastEventId: this.lastEventId, retry, data: Data.parse(JSON.parse(data)) };
  }
}
