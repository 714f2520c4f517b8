import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, json, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { listedBy, repair } from './run-repair.ts';

const { database, session } = await databaseOfThisFile();
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ZIP = 'application/zip';

/** A message whose file is stored under a type and a name. */
async function keep(networkId: string, mimeType: string, fileName: string | null, kind = 'document'): Promise<void> {
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
  const message = aNetworkMessage({ networkId, chatId: '15558000100@c.us', timestamp });
  await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
  const stored = { key: `${SCOPE.agencyId}/${'0'.repeat(64)}`, sizeBytes: 1, sha256: '0'.repeat(64) };
  const media = json({ url: null, mimeType, fileName, error: null, stored });
  await changeRows(database, 'message', { kind, media }, { networkId });
}

const types = async () =>
  rowsOf(
    database,
    sql<{ id: string; type: string }>`select network_id as id, media ->> 'mimeType' as type from message order by 1`,
  );

describe('office files that were stored as archives', () => {
  it('are listed first, then mended, and a second run finds none', async () => {
    await keep('A1', ZIP, 'Angebot.docx');
    await keep('A2', 'application/x-ole-storage', 'b.xls');
    await keep('A3', 'application/octet-stream', 'c.csv');
    const untouched = [
      ['B1', ZIP, 'photos.zip'],
      ['B2', ZIP, null],
      ['B3', ZIP, 'a.docx.exe'],
      ['B4', DOCX, 'a.docx'],
      ['B5', 'application/pdf', 'a.docx'],
      ['B6', 'application/octet-stream', 'a.docx'],
    ] as const;
    for (const [id, type, name] of untouched) await keep(id, type, name);
    await keep('B7', 'application/octet-stream', 'c.csv', 'image');
    const before = await types();
    const listed = await listedBy(database, 'mistyped-files');
    expect(await types()).toEqual(before);
    const repaired = (line: string) => line.replace(/^msg_\S+ /, '');
    expect(listed.map(repaired)).toEqual([
      `${ZIP} → ${DOCX}`,
      'application/x-ole-storage → application/vnd.ms-excel',
      'application/octet-stream → text/csv',
    ]);
    expect((await repair(database)).wrong).toBe(3);
    expect((await types()).filter((row, index) => row.type !== before[index]?.type)).toEqual([
      { id: 'A1', type: DOCX },
      { id: 'A2', type: 'application/vnd.ms-excel' },
      { id: 'A3', type: 'text/csv' },
    ]);
    expect((await repair(database)).wrong).toBe(0);
  });
});
