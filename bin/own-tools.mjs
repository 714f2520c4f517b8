import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// `npm install --omit=dev` installs what the engine runs with, and no development tools. Tests and checks then fetch
// these here, once. Plain JavaScript, because the Node of the machine may be an old one.
const ROOT = fileURLToPath(new URL('..', import.meta.url));

if (!existsSync(new URL('../node_modules/jest', import.meta.url))) {
  console.error('Installing the development tools (150 MB, once) …');
  const { status } = spawnSync('npm', ['install', '--include=dev'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error('The development tools could not be installed (npm says why above): run "npm install".');
    process.exitCode = 1;
  }
}
