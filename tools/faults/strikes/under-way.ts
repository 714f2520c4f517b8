import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { workflowId } from '../../../domain/names.ts';
import { isUnderWay, readPassports } from '../sends/passports.ts';
import type { Scene } from '../scene.ts';

/** Only this many of the messages accepted last are read, however long the queue is. */
const LATEST = 80;

/** Lists the ids of the round's messages that are not sent yet. */
export async function messagesUnderWay({ ground, ledger, round }: Scene): Promise<string[]> {
  const passports = await readPassports(ground, ledger.acceptedIn(round).slice(-LATEST));
  return [...passports].flatMap(([id, passport]) => (isUnderWay(passport) ? [id] : []));
}

/** Returns the ids of those messages whose execution runs. */
export async function withExecution(client: Client, messageIds: readonly string[]): Promise<string[]> {
  const running = await Promise.all(messageIds.map(async (id) => ((await isRunning(client, id)) ? [id] : [])));
  return running.flat();
}

async function isRunning(client: Client, messageId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowId('deliverMessage', messageId)).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
