import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { Spool } from '../../adapters/spool.ts';
import { EngineError } from '../../domain/error.ts';
import { cutSlowWriter } from './pace.ts';
import type { Pace } from './pace.ts';
import { hasBody, lengthOf, refuseEncodings, tooLarge } from './body.ts';

/** Content types of clients that do not name their content. */
const SAYS_NOTHING = ['application/octet-stream', 'application/x-www-form-urlencoded'];

/** A file that is the whole body of a request. It is not read before the handler asks for it. */
export class IncomingFile {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    refuseEncodings(request);
    if (this.#typeOf(request) === 'multipart/form-data') {
      throw new EngineError(
        'unsupported_media_type',
        'Send the file itself as the body, for example with `curl --data-binary @photo.jpg`, and not as a form.',
      );
    }
    this.#request = request;
  }

  /** The media type that the client names; null where it names none. */
  get claimedType(): string | null {
    const type = this.#typeOf(this.#request);
    return type === '' || SAYS_NOTHING.includes(type) ? null : type;
  }

  /** Reads the file, and keeps it out of memory; the caller disposes of it. A larger one is refused. */
  async receive(limitBytes: number, pace: Pace): Promise<Spool> {
    const request = this.#request;
    const spool = new Spool();
    const stop = cutSlowWriter(request, pace);
    try {
      if ((lengthOf(request) ?? 0) > limitBytes) throw tooLarge(limitBytes);
      if (!hasBody(request)) return spool;
      // Without the option the loop would destroy the connection on its way out, and the client would get no answer.
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        await spool.add(Buffer.from(chunk));
        if (spool.sizeBytes > limitBytes) throw tooLarge(limitBytes);
      }
      return spool;
    } catch (error) {
      await spool[Symbol.asyncDispose]();
      throw error;
    } finally {
      stop();
      // Unread bytes would keep the next request of this connection from being seen.
      request.resume();
    }
  }

  #typeOf({ headers }: IncomingMessage): string {
    return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  }
}

/** The body of a route that takes a file. */
export const FileBody = z.instanceof(IncomingFile);
