export const BACKEND_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type BackendMethod = (typeof BACKEND_METHODS)[number];

/** One route of the backend, and what the engine does with a request for it. */
export interface BackendRoute {
  method: BackendMethod;
  /** As the backend documents it: `/api/{session}/chats`. */
  path: string;
  /** The keys that it takes: any key for the session, a dashboard's or the master's key, or none. */
  who: 'client' | 'dashboard' | 'nobody';
  /**
   * `passes`: streams the request and the answer. `shows`: passes it, and leaves secrets out of the answer. `asks`:
   * lets the session's supervisor do it, as the engine's own route does, and shows the session afterwards. `records`:
   * passes it, and writes the message that it makes into the inbox. `notes`: passes it, and notes it as an edit, a
   * deletion or a reaction, so that its echo is not taken for a person's. `sends`: lets the engine's own queue send it,
   * or records it where the queue does not know all that the request asks for.
   */
  does: 'passes' | 'notes' | 'shows' | 'asks' | 'records' | 'sends';
  /** The place where the backend reads the session's name; the engine writes the own session there. */
  sessionIn: 'path' | 'query' | 'body';
  /** The names of the query that are passed on; any other is refused. */
  query: readonly string[];
  /** The places of files in the body: a name, names with dots between them, or nothing for the body itself. */
  files: readonly string[];
  /** The backend would fetch the first address of the text for a preview, so the engine forbids it that. */
  previews: boolean;
  why: string;
}

type Extra = Partial<Pick<BackendRoute, 'query' | 'files' | 'previews' | 'who' | 'does'>>;

function route(method: BackendMethod, path: string, why: string, extra: Extra): BackendRoute {
  const sessionIn = path.includes('{session}') ? 'path' : method === 'GET' ? 'query' : 'body';
  return {
    method,
    path,
    who: 'client',
    does: 'passes',
    sessionIn,
    query: [],
    files: [],
    previews: false,
    why,
    ...extra,
  };
}

/** A read of the own session. */
export function read(path: string, query: readonly string[] = [], why = "reads the session's account"): BackendRoute {
  return route('GET', path, why, { query });
}

/** A change that the contact sees at most as a change of the account, and that is no message. */
export function change(
  method: BackendMethod,
  path: string,
  why = "changes the session's account",
  extra: Extra = {},
): BackendRoute {
  return route(method, path, why, extra);
}

/** A message that the engine's own queue can send. */
export function send(path: string, files: readonly string[] = []): BackendRoute {
  return route('POST', path, 'a message: it keeps its order, pace and status', { does: 'sends', files });
}

/** A message of a kind that the queue does not know. */
export function recorded(path: string, files: readonly string[] = []): BackendRoute {
  return route('POST', path, 'a message of a kind that the queue does not support', { does: 'records', files });
}

/** A route that no key opens. */
export function refused(method: BackendMethod, path: string, why: string): BackendRoute {
  return route(method, path, why, { who: 'nobody' });
}
