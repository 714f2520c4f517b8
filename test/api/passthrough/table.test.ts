import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { backendRoutesPage } from '../../../api/passthrough/table/page.ts';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { DOCUMENTED_ROUTES } from '../../../tools/contract/backend-routes.ts';

const rows = Object.values(BACKEND_ROUTES).flat();
const names = rows.map(({ method, path }) => `${method} ${path}`);

describe('the table of the routes of the backend', () => {
  it('has one row for each route of the backend', () => {
    expect(DOCUMENTED_ROUTES.filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('has no row that the backend does not have, but for the files that its document leaves out', () => {
    expect(names.filter((name) => !DOCUMENTED_ROUTES.includes(name))).toEqual(['GET /api/files/{session}/{name}']);
  });

  it('closes what belongs to all tenants together, to every key', () => {
    const open = rows.filter(({ who }) => who !== 'nobody').map(({ path }) => path);
    expect(open.filter((path) => /^\/(api\/(server|keys|apps|version)|mcp|ping|health)/.test(path))).toEqual([]);
    expect(open.filter((path) => !path.includes('{session}') && path.startsWith('/api/sessions'))).toEqual([]);
  });

  it('says why of each route, and is what the page of the documentation shows', () => {
    expect(rows.filter(({ why }) => why === '')).toEqual([]);
    const page = readFileSync(new URL('../../../docs/reference/backend-routes.md', import.meta.url), 'utf8');
    expect(page).toBe(backendRoutesPage());
  });
});
