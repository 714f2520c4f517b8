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
  /** The usual cause of the error. */
  cause: string;
  /** The caller's next step. */
  mend: string;
  /** The `detail`, `errors` and `reason` of a response with this code. */
  example: { detail: string; errors?: readonly FieldError[]; reason?: string };
}
