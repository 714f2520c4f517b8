import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from './source-files.ts';

const Versions = z.record(z.string(), z.string());
const Manifest = z.object({
  scripts: Versions,
  dependencies: Versions,
  optionalDependencies: Versions,
  devDependencies: Versions,
});
const Needs = z.record(z.string(), z.string()).default({});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      dependencies: Needs,
      optionalDependencies: Needs,
    }),
  ),
});

export function readManifest(): z.infer<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
}

export function readLockText(): string {
  return readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
}

export interface Copy {
  /** Its place in node_modules. */
  path: string;
  name: string;
  version: string;
}

/**
 * Lists what the lock lacks: packages that others need, on any platform, and hashes. npm would add them with the next
 * install.
 */
export function gapsOf(lockText: string): string[] {
  const { packages } = Lock.parse(JSON.parse(lockText));
  return Object.entries(packages).flatMap(([path, { integrity, link, dependencies, optionalDependencies }]) => {
    const needed = Object.keys({ ...dependencies, ...optionalDependencies });
    const missing = needed.filter((name) => !placesFor(name, path).some((place) => Object.hasOwn(packages, place)));
    return [
      ...missing.map((name) => `${path} needs ${name}`),
      ...(path.includes('node_modules/') && link === undefined && integrity === undefined
        ? [`${path} has no integrity`]
        : []),
    ];
  });
}

/** Node looks for a package beside the one that needs it, then in each folder above. */
function placesFor(name: string, path: string): string[] {
  const parents = path
    .split('/node_modules/')
    .map((_part, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  return [
    ...parents.filter((parent) => parent !== '').map((parent) => `${parent}/node_modules/${name}`),
    `node_modules/${name}`,
  ];
}

/** Every copy of every package that the lock installs. */
export function readCopies(): Copy[] {
  const marker = 'node_modules/';
  return Object.entries(Lock.parse(JSON.parse(readLockText())).packages)
    .filter(([path]) => path.includes(marker))
    .map(([path, { version = '' }]) => ({ path, name: path.slice(path.lastIndexOf(marker) + marker.length), version }));
}
