import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** A second net: callers log named fields only, and these fields are removed wherever they appear. */
const NEVER_LOGGED = ['headers', 'body', 'apiKey', 'authorization', 'text', 'phone', 'query', 'params', 'parameters'];

export function createLogger(options: { level: string; name: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: { paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    options.destination ?? logTo(1),
  );
}

/**
 * Writes lines to an open file or to standard output (1). Lines that come while a write is under way go with the next,
 * so that no request waits for its line; what is left is written when the process ends.
 */
export function logTo(fileDescriptor: number): DestinationStream {
  return pino.destination({ dest: fileDescriptor, sync: false });
}

interface LoggedError {
  type: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}

/** Logs type, code and stack, and no other property: drivers attach statements and parameters to their errors. */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  return {
    type: error.name,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
