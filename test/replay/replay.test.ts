import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Runtime, Worker } from '@temporalio/worker';
import type { ReplayWorkerOptions } from '@temporalio/worker';
import { createLogger } from '../../api/wire/logger.ts';
import { VERSION } from '../../bin/version.ts';
import { installRuntime } from '../../worker/runtime.ts';
import { definitionName } from '../../domain/automations/name.ts';
import * as automations from '../../workflows/automations/index.ts';
import * as workflows from '../../workflows/index.ts';
import { workflowBundle } from '../support/servers.ts';
import { historiesOf } from '../automations/histories.ts';
import { CANARY } from './canary.ts';
import { withVersions } from './former-code.ts';
import { readableText, readHistories, readHistory } from './histories.ts';
import { CARRIED, withArgument, withResult } from './mixed.ts';
import type { RecordedHistory } from './histories.ts';
import { STORIES } from './stories.ts';

const histories = readHistories();
const current = histories.filter(({ release }) => release === VERSION);
/** While a release is rolled out, workers of the former one may begin a run that goes on, and do not read what it is given. */
const former = histories.filter(({ release }) => release !== VERSION);
const mixed = former.flatMap((history) =>
  (CARRIED[history.workflow] ?? []).map((argument) => ({ ...history, argument })),
);
const supervised = former.filter(({ workflow }) => workflow === 'superviseSession');
const versions = Object.entries(automations).map(([exported, { version }]) => ({
  name: definitionName(exported),
  version,
}));
const isContinued = (last?: RecordedHistory['events'][number]): boolean =>
  last?.eventType === 'EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW';
const isNextRun = (first?: RecordedHistory['events'][number]): boolean =>
  Boolean(first?.workflowExecutionStartedEventAttributes?.['continuedExecutionRunId']);

describe('a recorded history', () => {
  const options: ReplayWorkerOptions = { workflowBundle: workflowBundle() };

  beforeAll(() => {
    // Silent: what the refused histories make Temporal say is no news.
    installRuntime(createLogger({ level: 'silent', name: 'test' }), null);
  });
  afterAll(() => Runtime.instance().shutdown());

  /**
   * Replays all of a table at the first of its tests, in one worker: a worker reads the bundle first, which takes longer
   * than most histories.
   */
  function replaying<T extends { name: string }>(
    table: readonly T[],
    historyOf: (entry: T) => unknown,
  ): (entry: T) => Promise<void> {
    const replayAll = async (): Promise<(Error | undefined)[]> => {
      const results = Worker.runReplayHistories(
        options,
        table.map((entry) => ({ workflowId: entry.name, history: historyOf(entry) })),
      );
      const errors: (Error | undefined)[] = [];
      for await (const { error } of results) errors.push(error);
      return errors;
    };
    let replayed: ReturnType<typeof replayAll> | null = null;
    return async (entry) => {
      const errors = await (replayed ??= replayAll());
      expect(errors).toHaveLength(table.length);
      expect(errors[table.indexOf(entry)]).toBeUndefined();
    };
  }

  it.each(histories)(
    '$name of $release still fits the code',
    replaying(histories, ({ text }) => JSON.parse(text)),
  );

  it.each(mixed)(
    '$name of $release fits the code where it began with $argument, unread',
    replaying(mixed, (story) => withArgument(story, story.argument)),
  );

  it.each(supervised)(
    '$name of $release fits the code where a worker of now was refused the session and one of then went on',
    replaying(supervised, (history) => withResult(history, 'connectSession', 'refused')),
  );

  it.each(supervised)(
    '$name of $release fits the code where a worker of now said what is due and one of then went on',
    replaying(supervised, (history) => {
      const next = { deed: 'restart', at: '2026-03-02T09:30:00.000Z', inMs: 0 };
      return withResult(history, 'followSession', { status: 'WORKING', next });
    }),
  );

  it('is refused when the code would now call another activity', async () => {
    const { text } = readHistory('deliver-webhooks-retried');
    const changed: unknown = JSON.parse(text.replaceAll('"drainEndpoint"', '"emptyEndpoint"'));
    await expect(Worker.runReplayHistory(options, changed)).rejects.toMatchObject({
      name: 'DeterminismViolationError',
    });
  });

  it('of an automation is refused when the automation is changed and nothing guards the change', async () => {
    const code = await readFile(workflowBundle().codePath, 'utf8');
    const answered = histories.find(({ name }) => name === 'run-automation-ask-satisfaction-v1-3');
    const replayed = (isForAll: boolean): Promise<void> => {
      const changed = withVersions(code, { isForAll });
      return Worker.runReplayHistory({ workflowBundle: { code: changed } }, JSON.parse(answered?.text ?? ''));
    };
    await replayed(false);
    await expect(replayed(true)).rejects.toMatchObject({ name: 'DeterminismViolationError' });
  });

  it('is refused when the code is that of another workflow', async () => {
    const { text } = readHistory('deliver-webhooks-retried');
    const changed: unknown = JSON.parse(text.replaceAll('"deliverWebhooks"', '"reconcile"'));
    await expect(Worker.runReplayHistory(options, changed)).rejects.toMatchObject({
      name: 'DeterminismViolationError',
    });
  });

  it.each(Object.keys(workflows))('is there for %s', (workflow) => {
    expect(current.map((history) => history.workflow)).toContain(workflow);
  });

  it.each(versions)(
    'is there for version $version of $name, else: npm run automation:record $name',
    ({ name, version }) => {
      expect(historiesOf(name, version)).not.toEqual([]);
    },
  );

  it.each(['deliverMessage', 'superviseSession'])(
    'is there for %s that goes on with what another run gave it',
    (type) => {
      const next = current.filter(({ workflow, events }) => workflow === type && isNextRun(events[0]));
      expect(next).toHaveLength(1);
    },
  );

  it.each(['aiConversation', 'deliverMessage', 'deliverWebhooks', 'runAutomation', 'superviseSession'])(
    'is there for %s that continues as new',
    (type) => {
      const continued = current.filter(({ workflow, events }) => workflow === type && isContinued(events.at(-1)));
      expect(continued).toHaveLength(1);
    },
  );

  it('is there for every story of this version, named after its workflow', () => {
    expect(current.map(({ name }) => name)).toEqual(STORIES.map(({ name }) => name).toSorted());
    for (const { name, workflow } of histories) {
      expect(name.startsWith(workflow.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))).toBe(true);
    }
  });

  it.each(histories)('$name of $release holds ids only: no text, no name, no number', (history) => {
    const said = readableText(history);
    for (const personal of Object.values(CANARY)) expect(said).not.toContain(personal);
    expect(said).not.toMatch(/@(c\.us|s\.whatsapp\.net|lid|g\.us)\b/);
    expect(said).not.toMatch(/"identity":"(?!recorder")/);
  });
});
