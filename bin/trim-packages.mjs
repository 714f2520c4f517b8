import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm runs this after it has changed node_modules ("dependencies" in package.json). Plain JavaScript, because the Node
// of the machine may be an old one.
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const BRIDGE = join(MODULES, '@temporalio/core-bridge');
/** Temporal's own names of what it is built for, as its common.js makes them. */
const PROCESSORS = { x64: 'x86_64', arm64: 'aarch64' };
const SYSTEMS = { linux: 'unknown-linux-gnu', darwin: 'apple-darwin', win32: 'pc-windows-msvc' };

/** Removes the fonts and scripts of the icons, which are 57 MB: the console bundles a few drawings. */
function trimIcons() {
  for (const part of ['dist', 'font']) remove(join(MODULES, 'lucide-static', part));
}

/**
 * Removes what no machine of this kind loads: Temporal's package brings its native core for five platforms, and the
 * Rust sources of it. That is 120 MB.
 */
function trimBridge() {
  const releases = join(BRIDGE, 'releases');
  const own = `${PROCESSORS[process.arch]}-${SYSTEMS[process.platform]}`;
  const builds = readdirSync(releases);
  // A machine that Temporal does not know keeps all, and the engine's error names what is there.
  if (!builds.includes(own)) return;
  for (const build of builds.filter((name) => name !== own)) remove(join(releases, build));
  remove(join(BRIDGE, 'sdk-core'));
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

trimIcons();
try {
  trimBridge();
} catch (error) {
  // Larger than needed is still installed: an install must not fail here.
  console.error(
    `Temporal's builds for other platforms stay: ${error instanceof Error ? error.message : String(error)}`,
  );
}
