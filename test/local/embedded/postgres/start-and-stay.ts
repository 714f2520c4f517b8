/** Plays an engine that will be killed: starts one server, says so on its output, and stays. */
import { openDataDirectory } from '../../../../local/embedded/data-directory.ts';
import { startPostgres } from '../../../../local/embedded/postgres/postgres.ts';
import { startTemporal } from '../../../../local/embedded/temporal/temporal.ts';

const [what = '', dataDir = '', binary = ''] = process.argv.slice(2);
const log = () => undefined;

async function start(): Promise<{ pid: number }> {
  await openDataDirectory({ path: dataDir });
  if (what === 'postgres') return startPostgres({ dataDir, settings: { fsync: 'off' }, log });
  if (what === 'temporal') {
    return startTemporal({ binary, dataDir, namespace: 'engine', searchAttributes: { AgencyId: 'Keyword' }, log });
  }
  return { pid: process.pid };
}

const { pid } = await start();
process.stdout.write(`${pid}\n`);
setInterval(() => undefined, 60_000);
