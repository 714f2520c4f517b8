import { createDocument } from 'zod-openapi';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { ERROR_CODES, ERRORS } from '../domain/error.ts';
import type { ErrorCode } from '../domain/error.ts';
import { STREAM_SCHEMAS } from '../domain/webhooks/stream/frames.ts';
import { finishSchemas } from './reference/finish.ts';
import { INTRODUCTION, SECURITY_SCHEMES } from './reference/introduction.ts';
import { withExamples } from './reference/show-examples.ts';
import { describeWebhooks } from './reference/webhooks.ts';
import { GROUPS } from './route/groups.ts';
import { describeProblems } from './route/responses.ts';
import type { Route } from './route/route.ts';
import type { Method } from './route/route-text.ts';
import { exampleProblem } from './wire/problem.ts';

const OPERATION_KEYS = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const satisfies Record<Method, string>;

/** The engine's address in the examples. */
const EXAMPLE_URL = 'https://engine.example.com';

/** Makes the OpenAPI document of the routes. It does not depend on where the engine runs, so it can be committed. */
export function createOpenApiDocument<Deps>(routes: readonly Route<Deps>[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const { method, path } = route;
    const key = path.replaceAll(/:(\w+)/g, '{$1}');
    const item = (paths[key] ??= {});
    if (item[OPERATION_KEYS[method]] !== undefined) throw new Error(`${method} ${path} is declared twice.`);
    item[OPERATION_KEYS[method]] = withExamples(route);
  }
  const document = createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Messaging automation engine',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The engine that serves this document.' }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    components: {
      // The frames of a stream refer to them.
      schemas: STREAM_SCHEMAS,
      securitySchemes: SECURITY_SCHEMES,
      responses: describeProblems(routes),
      examples: Object.fromEntries(ERROR_CODES.map((code) => [code, exampleOf(code)])),
    },
    paths,
    webhooks: describeWebhooks(),
  });
  finishSchemas(document, document.components?.schemas ?? {});
  return document;
}

function exampleOf(code: ErrorCode) {
  const { title, cause, mend } = ERRORS[code];
  return { summary: title, description: `${cause} ${mend}`, value: exampleProblem(code, EXAMPLE_URL) };
}
