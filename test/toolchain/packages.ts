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
const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

export function readManifest(): z.infer<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
}

export function readLockText(): string {
  return readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
}

export interface Copy {
  /** Where it lies in node_modules. */
  path: string;
  name: string;
  version: string;
}

/** Every copy of every package that the lock installs. */
export function readCopies(): Copy[] {
  const marker = 'node_modules/';
  return Object.entries(Lock.parse(JSON.parse(readLockText())).packages)
    .filter(([path]) => path.includes(marker))
    .map(([path, { version = '' }]) => ({ path, name: path.slice(path.lastIndexOf(marker) + marker.length), version }));
}
