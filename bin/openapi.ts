import { writeFileSync } from 'node:fs';
import { createOpenApiDocument } from '../api/openapi.ts';
import { compact, writeCompact } from '../api/reference/compact.ts';
import { routes } from '../api/routes.ts';

const document = compact(createOpenApiDocument(routes));
writeFileSync(new URL('../openapi.json', import.meta.url), writeCompact(document));
