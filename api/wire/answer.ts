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

export type Handled<Body> = Body | Answer<Body> | Binary;

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
  /** Bytes are sent as they are, anything else as JSON, undefined as an empty answer. */
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
