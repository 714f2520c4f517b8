import { RawNode } from 'kysely';
import type { Scope } from '../../../../domain/scope.ts';
import { claimMessage } from '../../../../db/sending/claim.ts';
import type { Tx } from '../../../../db/tx.ts';
import { adoptOwnMessage } from '../../../../db/network/own-message.ts';
import { listAiInFlight } from '../../../../db/agent/takeover.ts';
import { REAL } from './scene.ts';
import type { Parts } from './scene.ts';

type Change = readonly [phrase: string, by: string];

/** What the key of another session would see. */
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

export interface Mutant {
  parts: Parts;
  /** What the oracle says of it. */
  breaks: RegExp;
}

const ANSWER = /reached the backend after/;
const PHONE = /was claimed after .* of the phone was heard/;

/** The fence with one of its parts taken away: what a proof must notice. */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'the claim asks nobody': { parts: { ...REAL, claim: claimWith(NO_FENCE) }, breaks: ANSWER },
  'the claim looks at the mode and not at the epochs': {
    parts: { ...REAL, claim: claimWith(MODE_ONLY) },
    breaks: ANSWER,
  },
  'the claim locks nothing': { parts: { ...REAL, claim: claimWith(NO_SHARE, NO_UPDATE) }, breaks: ANSWER },
  'the answer does not look for what is on its way': {
    parts: { ...REAL, look: () => Promise.resolve([]) },
    breaks: ANSWER,
  },
  "the tenant's answer looks at the session of a key": {
    parts: {
      ...REAL,
      look: (queries, scope, id) => listAiInFlight(queries, id === null ? elsewhere(scope) : scope, id),
    },
    breaks: ANSWER,
  },
  'the claim looks only at what is applied': { parts: { ...REAL, claim: claimWith(APPLIED_ONLY) }, breaks: PHONE },
  'the claim looks only at what was parked just now': {
    parts: { ...REAL, claim: claimWith(PARKED_JUST_NOW) },
    breaks: PHONE,
  },
  'who writes on the phone takes nothing over': {
    parts: { ...REAL, adopt: adoptWith(TAKES_NOTHING) },
    breaks: /has taken nothing over/,
  },
  'nobody asks what the own message may be the echo of': {
    parts: { ...REAL, adopt: adoptWith(NOTHING_UNDER_WAY) },
    breaks: /was taken for a person/,
  },
};

function claimWith(...changes: Change[]): typeof claimMessage {
  return async (tx, messageId, claim) => {
    const missing = new Set(changes);
    const result = await claimMessage({ ...tx, sql: rewritten(tx.sql, changes, missing) }, messageId, claim);
    // One that is refused does not come as far as all of them.
    if (result.claim === 'claimed' && missing.size > 0)
      throw new Error(`The claim has no "${[...missing].join('", "')}" any more.`);
    return result;
  };
}

function adoptWith(...changes: Change[]): typeof adoptOwnMessage {
  return (tx, parked) => adoptOwnMessage({ ...tx, sql: rewritten(tx.sql, changes, new Set()) }, parked);
}

function rewritten(sql: Tx['sql'], changes: readonly Change[], missing: Set<Change>): Tx['sql'] {
  const rewrite = (node: RawNode): RawNode => ({
    ...node,
    sqlFragments: node.sqlFragments.map((fragment) =>
      changes.reduce((text, change) => {
        if (text.includes(change[0])) missing.delete(change);
        return text.replace(change[0], change[1]);
      }, fragment),
    ),
    parameters: node.parameters.map((parameter) => (RawNode.is(parameter) ? rewrite(parameter) : parameter)),
  });
  return sql.withPlugin({
    transformQuery: ({ node }) => (node.kind === 'RawNode' ? rewrite(node) : node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
}
