import { describe, expect, test } from '@jest/globals';
import { historyOf } from '../../../packages/console/pages/connect/history.ts';

const at = '2026-03-02T02:49:40.000Z';
const told = (status: string) => ({ createdAt: at, body: JSON.stringify({ payload: { status, reason: null } }) });

describe('the history of an account', () => {
  test('shows the later of two states above the earlier, also where both began in the same moment', () => {
    expect(historyOf([told('SCAN_QR_CODE'), told('STARTING'), told('WORKING')], []).map(({ title }) => title)).toEqual([
      'Connected',
      'Starting',
      'Waiting for a scan',
    ]);
  });
});
