import { Client, Connection } from '@temporalio/client';
import { AT_OUR_QUEUES as OURS } from '../../domain/names.ts';
import { countOpenSupervisors } from './list-executions.ts';
import type { TemporalTarget } from './temporal-client.ts';

const ANSWER_WITHIN_MS = 5_000;
const ENDED_BADLY = `${OURS} AND ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`;
const PAUSED = `${OURS} AND ExecutionStatus = 'Paused'`;
const TROUBLED = `${OURS} AND ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`;

/** Asks Temporal what it is, and how many of the engine's executions run, are broken, and were paused by somebody. */
export async function readTemporalState(target: TemporalTarget) {
  const connection = await Connection.connect({
    ...target.connectionOptions,
    interceptors: [],
    connectTimeout: ANSWER_WITHIN_MS,
  });
  const client = new Client({ connection, namespace: target.namespace });
  const { workflow } = client;
  const count = async (query: string): Promise<number> => (await workflow.count(query)).count;
  try {
    return await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
      const [{ serverVersion }, running, supervisors, ended, troubled, paused] = await Promise.all([
        connection.workflowService.getSystemInfo({}),
        count(`${OURS} AND ExecutionStatus = 'Running'`),
        countOpenSupervisors(client),
        count(ENDED_BADLY),
        // An older Temporal does not report such trouble and refuses the query.
        count(TROUBLED).catch(() => 0),
        // Nor does it pause any.
        count(PAUSED).catch(() => 0),
      ]);
      return { serverVersion, running, supervisors, broken: ended + troubled, paused };
    });
  } finally {
    await connection.close();
  }
}
