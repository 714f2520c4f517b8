import type { ServerResponse } from 'node:http';
import { z } from 'zod';

/** An answer with another status than the route's, or with headers. */
export class Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Body, headers: Record<string, string>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer that is not JSON, for example a QR code; its content type is documented in the route's `contentTypes`. */
export class Binary {
  readonly contentType: string;
  readonly bytes: Buffer;

  constructor(contentType: string, bytes: Buffer) {
    this.contentType = contentType;
    this.bytes = bytes;
  }
}

/** The target of a response that continues. `opened` sends the head; an error before that is answered as any other. */
export interface Stream {
  response: ServerResponse;
  opened: () => void;
}

/** The status and the headers with which a stream opens. */
export interface StreamHead {
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** A proxy that gathered the frames would hold them back, and nobody else may keep them. */
const SERVER_SENT_EVENTS: StreamHead = {
  status: 200,
  headers: {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  },
};

/** An answer that is written piece by piece: server-sent events that go on until somebody ends them, or a large file. */
export class Streamed {
  readonly head: StreamHead;
  readonly write: (stream: Stream) => Promise<void>;

  constructor(write: (stream: Stream) => Promise<void>, head: StreamHead = SERVER_SENT_EVENTS) {
    this.write = write;
    this.head = head;
  }

  /** The same answer; something is begun before it is written, and ended after. */
  during(begin: () => () => void): Streamed {
    return new Streamed(async (stream) => {
      const end = begin();
      await this.write(stream).finally(end);
    }, this.head);
  }
}

export type Handled<Body> = Body | Answer<Body> | Binary | Streamed;

export function answer<Body>(status: number, body: Body, headers: Record<string, string> = {}): Answer<Body> {
  return new Answer(status, body, headers);
}

export function binary(contentType: string, bytes: Buffer): Binary {
  return new Binary(contentType, bytes);
}

/** The reply schema of routes that answer 204. */
export const NoContent = z.undefined();

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Bytes are sent as they are, a stream writes itself, anything else goes as JSON, undefined as an empty answer. */
  body: unknown;
}

/**
 * Makes the reply from the fields that the schema declares, so that nothing else leaves the engine. An answer that does
 * not fit is a fault of the engine and not of the caller.
 */
export function toReply(handled: unknown, status: number, schema: z.ZodType): Reply {
  if (handled instanceof Binary) {
    return { status, headers: { 'content-type': handled.contentType }, body: handled.bytes };
  }
  if (handled instanceof Streamed) return { ...handled.head, body: handled };
  const given = handled instanceof Answer ? handled : new Answer(status, handled, {});
  const fitted = schema.safeParse(given.body);
  if (!fitted.success) throw new ReplyMismatch(fitted.error);
  return { status: given.status, headers: given.headers, body: fitted.data };
}

/** Says how an answer differs from its schema. It names fields and rules, never values, because it is logged. */
class ReplyMismatch extends Error {
  override readonly name = 'ReplyMismatch';

  constructor(error: z.ZodError) {
    super(error.issues.map((issue) => `/${issue.path.join('/')} ${issue.code}`).join(', '));
  }
}
