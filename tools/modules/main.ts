import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENGINE } from './order.ts';
import { withModules } from './page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = new URL('../../docs/extend/architecture.md', import.meta.url);

const files = globSync(`{${Object.keys(ENGINE).join(',')}}/**/*.{ts,tsx,mjs}`, { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
}));
writeFileSync(PAGE, withModules(readFileSync(PAGE, 'utf8'), files));
