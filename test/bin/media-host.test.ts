import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../api/wire/logger.ts';
import { mediaFindings } from '../../bin/cli/doctor/doctor.ts';
import { warnOfMediaHost } from '../../bin/media-host.ts';
import { testConfig } from '../support/config.ts';

const config = testConfig({ DATABASE_URL: 'postgres://127.0.0.1/none', BACKEND_URL: 'http://127.0.0.1:9' });
const production = { ...config, nodeEnv: 'production' as const, publicUrl: 'https://engine.example' };

/** The lines that a start logs. */
function logged(given: typeof config): string[] {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } });
  warnOfMediaHost(given, log);
  return lines;
}

describe('files of strangers', () => {
  it.each([undefined, 'https://engine.example', 'https://engine.example:8443', 'https://engine.example/files'])(
    'from the host of the API are reported at each start in production, and by the doctor: %s',
    (mediaPublicUrl) => {
      const given = { ...production, mediaPublicUrl };
      expect(logged(given)).toEqual([expect.stringContaining('set MEDIA_PUBLIC_URL')]);
      expect(mediaFindings(given)).toEqual([
        {
          about: 'Media host',
          level: 'warning',
          says: expect.anything(),
          todo: [expect.stringContaining('MEDIA_PUBLIC_URL')],
        },
      ]);
    },
  );

  it('from a host of their own are well', () => {
    const given = { ...production, mediaPublicUrl: 'https://files.example' };
    expect(logged(given)).toEqual([]);
    expect(mediaFindings(given)).toMatchObject([{ level: 'ok', says: 'files come from files.example' }]);
  });

  it('are no matter for a trial on one machine', () => {
    const { mediaPublicUrl: _, ...trial } = { ...config, publicUrl: 'http://127.0.0.1:3000' };
    expect(logged({ ...config, ...trial, mediaPublicUrl: undefined })).toEqual([]);
    expect(mediaFindings({ ...config, mediaPublicUrl: undefined })).toEqual([]);
  });
});
