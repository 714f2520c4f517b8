export interface FieldError {
  /** JSON pointer into the body, or `query/<name>`, `path/<name>`, `header/<name>`. */
  pointer: string;
  message: string;
}

/** Everything that is said about one error code, in answers, in the OpenAPI document and on the page of the code. */
export interface ErrorEntry {
  /** The HTTP status. */
  status: number;
  /** True when the same request may succeed later without a change. */
  retry: boolean;
  /** True when its answers may carry `Retry-After`, the seconds after which a retry may succeed. */
  retryAfter?: true;
  /** Names the error; it stands in every answer with the code. */
  title: string;
  /** What usually brings the error about. */
  cause: string;
  /** What the caller does about it. */
  mend: string;
  /** What an answer with the code says in its `detail`, `errors` and `reason`. */
  example: { detail: string; errors?: readonly FieldError[]; reason?: string };
}
