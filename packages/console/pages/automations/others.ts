import type { Engine } from '../../../typescript/src/index.ts';
import { insteadOf, isSend } from './sentences.ts';
import type { AnyStep, Instead } from './sentences.ts';

/** As many of the newest runs are compared: each is a request. */
const COMPARED = 8;
const LOOKED_AT = 40;
/** As many words of messages are read: each is a request. */
const WORDS_AT_MOST = 10;

interface Run {
  id: string;
  automation: string;
  version: number | null;
  status: string;
  steps: readonly AnyStep[];
}

/** Reads the ways of other runs of this version, by the place of the step. */
export const readInstead = async (
  engine: Engine,
  run: Run,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly Instead[]>> => {
  if (run.version === null) return new Map();
  const { automation } = run;
  const { executions } = await engine.automations.listExecutions({ automation, limit: LOOKED_AT }, { signal });
  const alike = executions.filter(({ id, version }) => id !== run.id && version === run.version).slice(0, COMPARED);
  const others = await Promise.all(alike.map(({ id }) => engine.automations.readExecution(id, {}, { signal })));
  const isOver = ({ status }: { status: string }): boolean => status !== 'running';
  return insteadOf(
    { steps: run.steps, isOver: isOver(run) },
    others.map((other) => ({ steps: other.steps, isOver: isOver(other) })),
  );
};

/**
 * The words of the messages that a run has sent, by their ids. One that cannot be read is left out. `read` keeps what
 * was read before.
 */
export const readWords = async (
  engine: Engine,
  steps: readonly AnyStep[],
  { read, signal }: { read: Map<string, string>; signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> => {
  const ids = steps.flatMap((step) => {
    const { messageId } = step.detail;
    return isSend(step) && typeof messageId === 'string' ? [messageId] : [];
  });
  const missing = ids.slice(0, WORDS_AT_MOST).filter((id) => !read.has(id));
  await Promise.all(
    missing.map(async (id) => {
      try {
        read.set(id, (await engine.messages.readStatus(id, {}, { signal })).body);
      } catch {
        // The message may be erased, or a link may not open it. The text of the settings stands in.
      }
    }),
  );
  return new Map(read);
};
