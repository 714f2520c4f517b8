import type { IncomingHttpHeaders } from 'node:http';
import type { EngineError } from '../../domain/error.ts';
import type { Access } from './auth.ts';
import type { Identified } from './caller.ts';
import type { RouteReading } from './body-reading.ts';
import type { Logger } from '../wire/logger.ts';

/** The facts of the request that a handler may know beside its input. */
export interface RequestFacts {
  id: string;
  method: string;
  /** The route's template, never the path: paths hold phone numbers. */
  route: string;
  header(name: string): string | undefined;
  log: Logger;
  /** Aborted when the client leaves before the answer is written, and when the key of a read that is held ends. */
  signal: AbortSignal;
}

/** One request, as a route's `run` sees it; `mount.ts` makes it from Koa's context. */
export interface Call {
  request: RequestFacts;
  headers: IncomingHttpHeaders;
  /** The address that the request came from. */
  address: string;
  method: string;
  /** The route's template. */
  route: string;
  params: Record<string, string>;
  query: Record<string, string | string[] | undefined>;
  access: Access;
  readBody(reading: RouteReading, limitBytes: number): Promise<unknown>;
  identified(who: Identified): void;
  /** Counts the request, or refuses it with `rate_limited`. */
  admit(who: Identified, cost: number): Promise<void>;
  /** Aborts the signal of the request with the reason, so that whatever it waits for is given up. */
  giveUp(why: EngineError): void;
}
