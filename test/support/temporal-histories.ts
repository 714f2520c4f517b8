import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestEngine } from './engine.ts';

export interface History {
  workflowId: string;
  type: string;
  /** The whole history, its payloads decoded, with what the list shows of the workflow. */
  text: string;
}

/** Everything that Temporal knows of the engine's workflows. */
export async function historiesOf(engine: TestEngine): Promise<History[]> {
  const { workflow } = engine.temporal;
  const histories: History[] = [];
  for await (const { workflowId, runId, type, memo, searchAttributes } of workflow.list()) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    const encoded: unknown = JSON.parse(historyToJSON(history));
    const decoded = JSON.stringify(encoded, (_key, value: unknown) =>
      typeof value === 'string' ? `${value} ${Buffer.from(value, 'base64').toString('utf8')}` : value,
    );
    histories.push({
      workflowId,
      type,
      text: `${workflowId} ${JSON.stringify({ memo, searchAttributes })} ${decoded}`,
    });
  }
  return histories;
}
