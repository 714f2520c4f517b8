import { writeFileSync } from 'node:fs';
import { backendRoutesPage } from '../api/passthrough/table/page.ts';

writeFileSync(new URL('../docs/reference/backend-routes.md', import.meta.url), backendRoutesPage());
