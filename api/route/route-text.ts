import type { z } from 'zod';
import type { ErrorCode } from '../../domain/error.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { Auth } from './caller.ts';

export type OperationId = `${string}.${string}`;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The documentation of a route beyond its schemas. */
export interface RouteText {
  /**
   * The name of the method in a client library: a group and a verb, such as `messages.send`. The group is the tag of the
   * route, and is described in `groups.ts`.
   */
  operationId: OperationId;
  summary: string;
  description?: string;
  deprecated?: boolean;
  /**
   * A tenant's route that no session's key opens: what it does holds for other sessions of the tenant, too, or would
   * outlive the key. Routes of the kind `agency` are like that by themselves.
   */
  dashboardOnly?: boolean;
  /** The error codes that the handler itself may answer; the framework's own codes are added. */
  errors?: readonly ErrorCode[];
  /** The route takes an `Idempotency-Key`: its handler does its work by `commit`. */
  idempotent?: boolean;
  /** The route holds its answer for `Prefer: wait=N` and answers 200 once its messages have been sent or have ended. */
  waits?: boolean;
  /** The units of the caller's rate limits that a request takes. Left out it is 1; a request that does much takes more. */
  cost?: number;
  /** The requests of a public route carry a secret of their own, so only refused ones count in the rate of visitors. */
  carriesSecret?: boolean;
  /** Fields of the reply that are secrets: a repeated request gets them for ten minutes only. */
  secrets?: string[];
  /** Other good statuses with the same reply, each with the case in which it is answered. */
  statuses?: Record<number, string>;
  /** Describes the header `Location` of a good reply; a reply with that header fails if its route lacks this. */
  location?: string;
  /** Other content types of the reply, each with a description. */
  contentTypes?: Record<string, string>;
  /** The answer is a file of one of those types, and never JSON. */
  isFile?: boolean;
  /** The headers that the handler reads itself, for the document. */
  headers?: z.ZodObject;
  /** The answer is a stream of server-sent events, and `reply` describes its text. */
  stream?: StreamText;
}

export interface StreamText {
  /** The names of frames, with the ids of the schemas of their data. */
  frames: Readonly<Record<string, string>>;
  example: string;
}

export type ObjectSchema = z.ZodObject | undefined;
export type BodySchema = z.ZodType | undefined;

export interface Described extends RouteText {
  method: Method;
  path: string;
  auth: Auth;
  scope?: KeyScope | null | undefined;
  params?: ObjectSchema;
  query?: ObjectSchema;
  body?: BodySchema;
  status: number;
  reply: z.ZodType;
}
