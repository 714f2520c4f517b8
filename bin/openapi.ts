import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '../api/openapi.ts';
import { routes } from '../api/routes.ts';

writeFileSync(
  new URL('../openapi.json', import.meta.url),
  `${JSON.stringify(createOpenApiDocument(routes), null, 2)}\n`,
);
