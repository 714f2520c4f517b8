import { Client } from 'pg';

export const TEMPLATE = 'template_engine';
/** At least as many as test files that start an engine. */
export const NAMESPACES = 40;

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

/** A database of its own, cloned from the migrated template, and a Temporal namespace of its own. */
export async function takeServers(): Promise<{ databaseUrl: string; temporalAddress: string; namespace: string }> {
  const url = process.env['TEST_POSTGRES_URL'];
  const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'];
  if (!url || !temporalAddress) throw new Error('The servers of the test run were not started.');
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ n: string }>("select nextval('test_file') as n");
    const number = Number(rows[0]?.n);
    const name = `test_${number}`;
    await admin.query(`create database ${name} template ${TEMPLATE}`);
    const databaseUrl = new URL(url);
    databaseUrl.pathname = `/${name}`;
    return { databaseUrl: databaseUrl.href, temporalAddress, namespace: namespaceName(number % NAMESPACES) };
  } finally {
    await admin.end();
  }
}
