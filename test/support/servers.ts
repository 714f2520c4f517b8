import { Client } from 'pg';

export const TEMPLATE = 'template_engine';
/**
 * More than one whole run takes. No namespace is given twice: two engines in one would take each other's tasks, and each
 * would look for its sessions in the other's database.
 */
export const NAMESPACES = 150;

/**
 * For a workflow whose tasks fail: the SDK answers for the first one and lets the next ones time out, and Temporal reports the
 * execution after five. With the usual ten seconds each that is a minute of waiting.
 */
export const TASK_TIMEOUT = '1 s';

export function namespaceName(index: number): string {
  return `test-${index}`;
}

/** The bundle of the workflows that this run has made. */
export function workflowBundle(): { codePath: string } {
  const codePath = process.env['TEST_WORKFLOW_BUNDLE'];
  if (!codePath) throw new Error('The workflows of the test run were not bundled.');
  return { codePath };
}

/** The Temporal that skips the time in which nothing happens, for `createTimeSkipping`. */
export function timeSkippingServer(): { executable: { type: 'existing-path'; path: string } } {
  const path = process.env['TEST_TIME_SKIPPING_SERVER'];
  if (path === undefined) throw new Error('The time-skipping server of the test run was not found.');
  return { executable: { type: 'existing-path', path } };
}

/** The address of the run's PostgreSQL for what only a superuser may do. The engine under test never uses it. */
export function superuserUrl(): string {
  const url = process.env['TEST_POSTGRES_SUPERUSER_URL'];
  if (url === undefined) throw new Error('The servers of the test run were not started.');
  return url;
}

interface TestServers {
  databaseUrl: string;
  temporalAddress: string;
  namespace: string;
}

/** A database of its own, cloned from the migrated template, with these settings, and a Temporal namespace of its own. */
export async function takeServers(settings: Record<string, string> = {}): Promise<TestServers> {
  const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'];
  if (!temporalAddress) throw new Error('The servers of the test run were not started.');
  return withAdmin(async (admin, url) => {
    const number = await next(admin, 'test_namespace');
    if (number >= NAMESPACES) throw new Error(`This run takes more than ${NAMESPACES} namespaces: raise NAMESPACES.`);
    const databaseUrl = await cloneTemplate(admin, url);
    if (Object.keys(settings).length > 0) await setFor(databaseUrl, settings);
    return { databaseUrl, temporalAddress, namespace: namespaceName(number) };
  });
}

/** A database of its own, cloned from the migrated template. */
export async function takeDatabase(): Promise<string> {
  return withAdmin(cloneTemplate);
}

async function withAdmin<T>(work: (admin: Client, url: string) => Promise<T>): Promise<T> {
  const url = process.env['TEST_POSTGRES_URL'];
  if (!url) throw new Error('The servers of the test run were not started.');
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin, url);
  } finally {
    await admin.end();
  }
}

async function cloneTemplate(admin: Client, url: string): Promise<string> {
  const name = `test_${await next(admin, 'test_file')}`;
  // The usual strategy writes each page to the log, too, and takes three times the CPU.
  await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  return databaseUrl.href;
}

async function setFor(databaseUrl: string, settings: Record<string, string>): Promise<void> {
  const superuser = new Client({ connectionString: superuserUrl() });
  await superuser.connect();
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await superuser.query(`alter database ${name} set ${setting} = '${value}'`);
  }
  await superuser.end();
}

async function next(admin: Client, sequence: 'test_file' | 'test_namespace'): Promise<number> {
  const { rows } = await admin.query<{ n: string }>('select nextval($1) as n', [sequence]);
  return Number(rows[0]?.n);
}
