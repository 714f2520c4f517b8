import type { Status } from '../state/fact.ts';

/** An error answer in one of the backend's several shapes. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(JSON.stringify(body));
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
  }
}

/** A failure inside the engine, which is answered as a 500 with exception, stack and echoed request. */
export class EngineFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Error';
  }
}

const nest = (status: number, error: string, message: string | string[]): Refusal =>
  new Refusal(status, { message, error, statusCode: status });

export const unauthorized = (): Refusal => new Refusal(401, { message: 'Unauthorized', statusCode: 401 });

export const forbidden = (): Refusal => new Refusal(403, { message: 'Forbidden', statusCode: 403 });

export const badRequest = (message: string | string[]): Refusal => nest(400, 'Bad Request', message);

export const notFound = (message: string): Refusal => nest(404, 'Not Found', message);

export const notImplemented = (engine: string): Refusal =>
  nest(501, 'Not Implemented', `The method is not implemented by '${engine}' engine.`);

/** Makes the refusal of a feature that only the paid edition has. */
export const onlyInPlus = (engine: string): Refusal =>
  unprocessable(`The feature is available only in Plus version for '${engine}' engine.`);

export const unprocessable = (message: string): Refusal => nest(422, 'Unprocessable Entity', message);

export const noSessionName = (): Refusal => new Refusal(422, { error: 'Session name is required' });

export const unknownSession = (session: string): Refusal =>
  new Refusal(422, { error: `Session "${session}" does not exist`, session });

export const notInStatus = (session: string, status: Status, expected: readonly Status[]): Refusal =>
  new Refusal(422, {
    error: 'Session status is not as expected. Try again later or restart the session',
    session,
    status,
    expected,
  });
