import { RawNode } from 'kysely';
import type { Scope } from '../../../../domain/scope.ts';
import { claimMessage } from '../../../../db/sending/claim.ts';
import type { Database } from '../../../../db/engine/database.ts';
import type { Tx } from '../../../../db/engine/tx.ts';
import { adoptOwnMessage } from '../../../../db/network/own-message.ts';
import { listAiInFlight } from '../../../../db/agent/takeover.ts';
import { execute, sourceOf, stopping } from '../../sending/boundaries.ts';
import { REAL } from './scene.ts';
import type { Parts } from './scene.ts';

type Change = readonly [phrase: string, by: string];

/** Returns the scope of another session's key. */
const elsewhere = (scope: Scope): Scope => ({ ...scope, sessionId: 'ses_of_another' });

const NO_FENCE: Change = ['(c.epoch = m.conversation_epoch', '(true or c.epoch = m.conversation_epoch'];
const MODE_ONLY: Change = ['c.epoch = m.conversation_epoch and t.ai_epoch = m.tenant_epoch and', ''];
const NO_SHARE: Change = ['for share of c, t', ''];
const NO_UPDATE: Change = ['for update of m', ''];

const APPLIED_ONLY: Change = ['and e.own_network_id is not null', 'and false'];
const PARKED_JUST_NOW: Change = [
  'where p.session_id = ',
  "where p.parked_at > clock_timestamp() - interval '14 seconds' and p.session_id = ",
];
const TAKES_NOTHING: Change = ["c.mode = 'bot_active' or agent_has_left(c)", 'false'];
const NOTHING_UNDER_WAY: Change = ["and (m.status = 'sending' or", 'and (false or'];

const CLAIM = sourceOf('sending/claim');
const NAMES = [...CLAIM.matchAll(/^create or replace function (\w+)\(/gm)].map(([, name]) => name);
const CALLS = new RegExp(`\\b(${NAMES.join('|')})\\(`, 'g');
let copies = 0;

export interface Mutant {
  parts: Parts;
  /** Makes what the parts need in the database. */
  prepare?: (database: Database) => Promise<void>;
  /** The oracle's complaint about it. */
  breaks: RegExp;
  /** A schedule that shows it today. The search begins there, because from the first one it takes up to 125. */
  seed: number;
}

const ANSWER = /reached the backend after/;
const PHONE = /was claimed after .* of the phone was heard/;

/** The fence with one of its parts taken away: what a proof must notice. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'the claim asks nobody': { ...claimWith(NO_FENCE), breaks: ANSWER, seed: 5 },
  'the claim looks at the mode and not at the epochs': {
    ...claimWith(MODE_ONLY),
    breaks: ANSWER,
    seed: 125,
  },
  'the claim locks nothing': { ...claimWith(NO_SHARE, NO_UPDATE), breaks: ANSWER, seed: 31 },
  'the answer does not look for what is on its way': {
    parts: { ...REAL, look: () => Promise.resolve([]) },
    breaks: ANSWER,
    seed: 10,
  },
  "the tenant's answer looks at the session of a key": {
    parts: {
      ...REAL,
      look: (queries, scope, id) => listAiInFlight(queries, id === null ? elsewhere(scope) : scope, id),
    },
    breaks: ANSWER,
    seed: 14,
  },
  'the claim looks only at what is applied': { ...claimWith(APPLIED_ONLY), breaks: PHONE, seed: 27 },
  'the claim looks only at what was parked just now': {
    ...claimWith(PARKED_JUST_NOW),
    breaks: PHONE,
    seed: 9,
  },
  'who writes on the phone takes nothing over': {
    parts: { ...REAL, adopt: adoptWith(TAKES_NOTHING) },
    breaks: /has taken nothing over/,
    seed: 5,
  },
  'nobody asks what the own message may be the echo of': {
    parts: { ...REAL, adopt: adoptWith(NOTHING_UNDER_WAY) },
    breaks: /was taken for a person/,
    seed: 6,
  },
};

/** A claim by copies of its functions in which these phrases are changed. */
function claimWith(...changes: Change[]): Pick<Mutant, 'parts' | 'prepare'> {
  copies += 1;
  const name = `$1_mutant_${copies}(`;
  const source = changes.reduce((text, [phrase, by]) => {
    if (!text.includes(phrase)) throw new Error(`The claim has no "${phrase}" any more.`);
    return text.replace(phrase, by);
  }, CLAIM);
  return {
    prepare: (database) => execute(database, stopping(source).replaceAll(CALLS, name)),
    parts: {
      ...REAL,
      claim: (tx, messageId, claim) =>
        claimMessage({ ...tx, sql: rewritten(tx.sql, (text) => text.replaceAll(CALLS, name)) }, messageId, claim),
    },
  };
}

function adoptWith(...changes: Change[]): typeof adoptOwnMessage {
  const change = (text: string): string => changes.reduce((so, [phrase, by]) => so.replace(phrase, by), text);
  return (tx, parked) => adoptOwnMessage({ ...tx, sql: rewritten(tx.sql, change) }, parked);
}

function rewritten(sql: Tx['sql'], change: (text: string) => string): Tx['sql'] {
  const rewrite = (node: RawNode): RawNode => ({
    ...node,
    sqlFragments: node.sqlFragments.map(change),
    parameters: node.parameters.map((parameter) => (RawNode.is(parameter) ? rewrite(parameter) : parameter)),
  });
  return sql.withPlugin({
    transformQuery: ({ node }) => (node.kind === 'RawNode' ? rewrite(node) : node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
}
