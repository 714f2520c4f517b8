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

/** The control routes' response to a wrong key; the backend's own routes respond as the real backend does. */
export const unauthorizedControl = (): Refusal =>
  new Refusal(401, {
    message:
      'Unauthorized: X-Api-Key must contain the key of the sandbox. In the directory of the engine, ' +
      'eval "$(./engine env)" sets it as $SANDBOX_KEY.',
    statusCode: 401,
  });

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

/** Sessions that a caller is shown, so that the answer stays short in a sandbox of many. */
const SHOWN_NAMES = 5;

/** The control routes' response to an unknown session name; it shows the names of some sessions. */
export const unnamedSession = (name: string, names: readonly string[]): Refusal => {
  const shown = [...names.slice(-SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ['…'] : [])].join(', ');
  return notFound(
    `There is no session "${name.slice(0, 80)}". The sandbox knows sessions by their names (\`name\` in the response ` +
      `to "connect"), not by the engine's ids (ses_…). ${names.length > 0 ? `Its sessions: ${shown}` : 'It has no session yet.'}`,
  );
};

export const lostSession = (name: string): Refusal =>
  notFound(
    `The backend has lost the session "${name}": wait until the engine has made it again, half a minute at most.`,
  );

export const notInStatus = (session: string, status: Status, expected: readonly Status[]): Refusal =>
  new Refusal(422, {
    error: 'Session status is not as expected. Try again later or restart the session',
    session,
    status,
    expected,
  });
