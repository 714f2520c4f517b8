import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataDirectory } from '../../../local/embedded/data-directory.ts';
import { ownerOf } from '../../../local/embedded/directory-lock.ts';
import { StartupError } from '../../../local/embedded/startup-error.ts';
import { otherEngine } from './postgres/killed-engine.ts';
import { scratch } from './scratch.ts';

const { directory, clear } = scratch();
afterAll(clear);

describe('the data directory', () => {
  it('is created for its owner only, with the directories above it', async () => {
    const path = join(await directory(), 'deep', 'data');
    const opened = await openDataDirectory({ path });
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    await opened.unlock();
  });

  it('refuses a second engine and names the process that has it', async () => {
    const path = await directory();
    const other = await otherEngine('nothing', path);
    const refusal = await openDataDirectory({ path }).catch((error: unknown) => error);
    expect(await ownerOf(path)).toBe(other.enginePid);
    await other.kill();
    expect(await ownerOf(path)).toBeUndefined();
    expect(refusal).toBeInstanceOf(StartupError);
    expect(String(refusal)).toContain(`process ${other.enginePid}`);
    expect(String(refusal)).toContain('DATA_DIR');
  });

  it('opens at once after its owner was killed', async () => {
    const path = await directory();
    const other = await otherEngine('nothing', path);
    await other.kill();
    await (await openDataDirectory({ path })).unlock();
  });

  it('opens when the dead owner’s pid belongs to another process now', async () => {
    const path = await directory();
    await mkdir(join(path, 'owner'));
    await writeFile(join(path, 'owner', 'old.claim'), `${process.pid}\nsome other boot/1`);
    await (await openDataDirectory({ path })).unlock();
  });

  it('opens again after it was released', async () => {
    const path = await directory();
    await (await openDataDirectory({ path })).unlock();
    await (await openDataDirectory({ path })).unlock();
  });

  it('never has two owners, however many ask at once', async () => {
    const path = await directory();
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDirectory({ path })));
    const owners = answers.filter((answer) => answer.status === 'fulfilled');
    expect(owners.length).toBeLessThanOrEqual(1);
    for (const owner of owners) await owner.value.unlock();
  });

  it('says which variable to set when it cannot be created', async () => {
    const file = join(await directory(), 'file');
    await writeFile(file, '');
    await expect(openDataDirectory({ path: join(file, 'data') })).rejects.toThrow(/DATA_DIR/);
  });

  it('keeps a secret once made, for its owner only', async () => {
    const path = await directory();
    const opened = await openDataDirectory({ path });
    const made = await Promise.all(Array.from({ length: 5 }, () => opened.readOrCreateSecret('key', 32)));
    expect(new Set(made).size).toBe(1);
    expect(Buffer.from(made[0] ?? '', 'base64url')).toHaveLength(32);
    expect(await opened.readOrCreateSecret('key', 32)).toBe(made[0]);
    expect((await stat(join(path, 'key'))).mode & 0o777).toBe(0o600);
    await opened.unlock();
  });
});
