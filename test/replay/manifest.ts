import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { HISTORIES, filesOf, releases } from './histories.ts';

/** The digest of each history of each release, as it was recorded. */
const Manifest = z.record(z.string(), z.record(z.string(), z.string()));
export type Manifest = z.infer<typeof Manifest>;

const FILE = new URL('manifest.json', HISTORIES);

export function readManifest(): Manifest {
  return Manifest.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

/** Returns the digests of the folders now. */
export function digestHistories(): Manifest {
  return Object.fromEntries(
    releases().map((release) => [
      release,
      Object.fromEntries(
        filesOf(release).map((file) => {
          const content = readFileSync(new URL(`${release}/${file}`, HISTORIES));
          return [file, createHash('sha256').update(content).digest('hex')];
        }),
      ),
    ]),
  );
}

/** Writes the recorded release alone; the others stay, so that a change of them is visible. */
export function writeManifest(recorded: string): void {
  const { [recorded]: digests = {}, ...found } = digestHistories();
  const manifest = { ...found, ...readManifest(), [recorded]: digests };
  writeFileSync(FILE, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns a sentence for each history that differs from its record, with the fix. */
export function changedHistories(manifest: Manifest, found: Manifest, current: string): string[] {
  const known = new Set([...Object.keys(manifest), ...Object.keys(found)]);
  return [...known].flatMap((release) => {
    const [then, now] = [manifest[release] ?? {}, found[release] ?? {}];
    const remedy =
      release === current
        ? 'record it with "npm run record-histories"'
        : 'executions of that release may still be open, so the code must fit its history as it is: ' +
          `"git checkout origin/main -- test/replay/histories/${release}", and guard the change with patched()`;
    return [...new Set([...Object.keys(then), ...Object.keys(now)])]
      .filter((file) => then[file] !== now[file])
      .map((file) => {
        const what = now[file] === undefined ? 'was removed' : then[file] === undefined ? 'was added' : 'was changed';
        return `${release}/${file} ${what}: ${remedy}.`;
      });
  });
}
