import { describe, expect, it } from '@jest/globals';
import { SIGNALS, STATE_QUERY, UPDATES } from '../../domain/names.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/workflows.ts';
import * as workflows from '../../workflows/index.ts';
import { activityNames, guardAttributes, guardFailures, guardRows, guardTitles, tableNames } from './findable.ts';
import type { ShownName } from './findable.ts';
import type { Guard } from './guards.ts';
import { migrations, writtenFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

const written = writtenFiles();
const activities = activityNames(written.filter(({ path }) => path.startsWith('workflows/')));
const shown = (kind: ShownName['kind'], names: readonly string[]): ShownName[] => names.map((name) => ({ kind, name }));
const NAMES = [
  ...shown('activity', activities),
  ...shown('workflow', Object.keys(workflows)),
  ...shown('signal', Object.values(SIGNALS)),
  ...shown('update', Object.values(UPDATES)),
  ...shown('query', [STATE_QUERY]),
];
const TABLES = tableNames(migrations());

const test = (...lines: string[]): SourceFile => ({ path: 'test/db/a.test.ts', text: lines.join('\n') });
const activity = (comment: string): SourceFile => ({
  path: 'activities/a.ts',
  text: `  /** ${comment} */\n  async function settleMessage() {}`,
});

/** Each guard over this tree, then with a fault that it refuses and what it says then, and with the fault mended. */
const GUARDS: { title: string; guard: Guard; planted: Guard; fault: SourceFile; says: RegExp; mended: SourceFile }[] = [
  {
    title: 'a title for each activity, workflow, signal, update and query',
    guard: guardTitles(NAMES),
    planted: guardTitles(shown('activity', ['settleMessage'])),
    fault: test("describe('a send', () => settleMessage: 1)", "expect('settleMessage: not a title')"),
    says: /^The activity settleMessage stands .* "settleMessage: ", in test\/activities\/\.$/,
    mended: test("describe('sendMessage, settleMessage: a send', () => {})"),
  },
  {
    title: 'a title of a table of cases, too',
    guard: guardTitles(NAMES),
    planted: guardTitles(shown('signal', ['acked'])),
    fault: test("it.each([1, 2])('%s', () => {})"),
    says: /^The signal acked stands .* in test\/workflows\/\.$/,
    mended: test('it.each([1, 2])(', "  'acked: %s',", '  () => {})'),
  },
  {
    title: 'the tables of each activity',
    guard: guardRows(shown('activity', activities), TABLES),
    planted: guardRows(shown('activity', ['settleMessage']), TABLES),
    fault: activity('Looks for the outcome.'),
    says: /^The comment of the activity settleMessage names no table: end it, .* "Rows: message, message_history\."$/,
    mended: activity('Looks for the outcome. Rows: message,\n   * message_history.'),
  },
  {
    title: 'tables that there are',
    guard: guardRows(shown('activity', activities), TABLES),
    planted: guardRows(shown('activity', ['settleMessage']), TABLES),
    fault: activity('Looks for the outcome. Rows: message, mesage_history.'),
    says: /^The comment of the activity settleMessage names the table mesage_history, which no migration makes: mend /,
    mended: activity('Looks for the outcome. Rows: message.'),
  },
  {
    title: 'the tables of each workflow',
    guard: guardRows(shown('workflow', Object.keys(workflows)), TABLES),
    planted: guardRows(shown('workflow', ['rehearse']), TABLES),
    fault: { path: 'workflows/a.ts', text: '/** Tries personas. */\nexport async function rehearse() {}' },
    says: /^The comment of the workflow rehearse names no table: end it, in workflows\/, /,
    mended: {
      path: 'workflows/a.ts',
      text: '/** Tries personas. Rows: rehearsal. */\nexport async function rehearse() {}',
    },
  },
  {
    title: 'failures that are rows of the table of errors',
    guard: guardFailures,
    planted: guardFailures,
    fault: { path: 'activities/a.ts', text: "\nthrow ApplicationFailure.nonRetryable('Too late.', 'refused');" },
    says: /^activities\/a\.ts:2 makes Temporal's failure by hand: throw new EngineError /,
    mended: { path: 'activities/a.ts', text: "throw new EngineError('message_ended', 'Too late.');" },
  },
  {
    title: 'a test of each search attribute',
    guard: guardAttributes(SEARCH_ATTRIBUTES),
    planted: guardAttributes(['Outcome']),
    fault: test("expect(DispatchOutcome).toBe('sent')"),
    says: /^No test sets or reads the search attribute Outcome: search for it in /,
    mended: test('list({ query: \'Outcome = "sent"\' })'),
  },
];

describe.each(GUARDS)('what Temporal shows can be found: $title', ({ guard, planted, fault, says, mended }) => {
  it('lacks nothing in this tree', () => {
    expect(guard(written)).toEqual([]);
  });

  it('is demanded in a sentence that says where, and what to do', () => {
    expect(planted([fault])).toEqual([expect.stringMatching(says)]);
  });

  it('is content when that is done', () => {
    expect(planted([mended])).toEqual([]);
  });
});

describe('the names that are looked for', () => {
  it('are all that workflows call', () => {
    expect(activities).toEqual(expect.arrayContaining(['settleMessage', 'drainEndpoint', 'answerTurn', 'finishSync']));
    expect(activities.length).toBeGreaterThanOrEqual(24);
  });

  it('leave out tables that were dropped', () => {
    const text = 'create table a (id text);\ncreate table if not exists b (id text);\ndrop table a;';
    expect([...tableNames([{ path: 'db/migrations/1.sql', text }])]).toEqual(['b']);
  });
});
