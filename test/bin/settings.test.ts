import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readEnvFile } from '../../bin/settings/env-file.ts';
import { envFileNotice } from '../../bin/settings/env-file-notice.ts';

describe('the file .env', () => {
  let directory: string;
  const write = (text: string): void => writeFileSync(join(directory, '.env'), text);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'env-file-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('sets what the environment does not, and says which variables, without their values', () => {
    write('PORT=3100\nENGINE_API_KEY="a secret"\nLOG_LEVEL=debug\n# HOST=0.0.0.0\n');
    const environment: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn' };
    const file = readEnvFile(environment, directory);
    expect(environment).toEqual({ LOG_LEVEL: 'warn', PORT: '3100', ENGINE_API_KEY: 'a secret' });
    expect(envFileNotice(file)).toBe(`Settings from ${join(directory, '.env')}: ENGINE_API_KEY, PORT`);
  });

  it('is overridden by an empty variable, too, which means not set', () => {
    write('BACKEND_URL=http://127.0.0.1:3009\n');
    const environment = { BACKEND_URL: '' };
    expect(envFileNotice(readEnvFile(environment, directory))).toBeNull();
    expect(environment).toEqual({ BACKEND_URL: '' });
  });

  it('is not read in production, which is said', () => {
    write('PORT=3100\n');
    const environment = { NODE_ENV: 'production' };
    expect(envFileNotice(readEnvFile(environment, directory))).toMatch(/\.env is ignored in production/);
    expect(environment).toEqual({ NODE_ENV: 'production' });
  });

  it('tells whoever has misspelt a setting its name, and leaves the variables of other programs alone', () => {
    write('PACE_PER_MINUT=5\nMY_SHOP_TOKEN=x\n');
    const [first, ...told] = String(envFileNotice(readEnvFile({}, directory))).split('\n');
    expect(first).toContain('MY_SHOP_TOKEN, PACE_PER_MINUT');
    expect(told).toEqual([expect.stringContaining('PACE_PER_MINUT is not a setting. Did you mean PACE_PER_MINUTE?')]);
  });

  it('need not be there', () => {
    const environment = {};
    expect(envFileNotice(readEnvFile(environment, directory))).toBeNull();
    expect(environment).toEqual({});
  });
});
