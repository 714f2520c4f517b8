import { isPromisedType, OUTCOME_OPEN, PRIORITY, workflowId } from '../../domain/names.ts';
import { WORKFLOWS } from '../../domain/workflows.ts';
import type { PromisedType, SearchAttribute, Workflow } from '../../domain/workflows.ts';

type Fact = SearchAttribute | 'kind' | 'mark' | 'host';

/** The last of an id is chance, and so differs; the first is a time. */
const MARK = 'right(r.id, 6)';
const ALL = { AgencyId: 'r.agency_id', TenantId: 'r.tenant_id', SessionId: 'r.session_id' };

/** The SQL that reads each fact of the registry from a row `r` of a workflow's table. */
const FACTS: Record<NonNullable<Workflow['row']>, Partial<Record<Fact, string>>> = {
  message: {
    ...ALL,
    ConversationId: 'r.conversation_id',
    MessageId: 'r.id',
    Outcome: quote(OUTCOME_OPEN),
    kind: 'r.kind',
  },
  session: { ...ALL, SessionId: 'r.id', mark: MARK },
  // An endpoint of several tenants shows only its agency.
  endpoint: {
    AgencyId: ALL.AgencyId,
    TenantId: 'case when cardinality(r.tenant_ids) = 1 then r.tenant_ids[1] end',
    mark: MARK,
    // Neither a path nor a user of the URL, which may be secrets.
    host: "coalesce(substring(r.url from '^[a-z]+://(?:[^/@]*@)?([^/:?#]+)'), 'an endpoint')",
  },
  conversation: { ...ALL, ConversationId: 'r.id' },
  rehearsal: ALL,
  automation_execution: { ...ALL, ConversationId: 'r.conversation_id', Automation: 'r.definition', mark: MARK },
  erasure: { AgencyId: ALL.AgencyId, TenantId: ALL.TenantId, mark: MARK },
  tenant_export: { AgencyId: ALL.AgencyId, TenantId: ALL.TenantId, mark: MARK },
};

/** The priority of a promise whose caller names none. */
const PRIORITIES: Record<PromisedType, string> = {
  deliverMessage: `case when r.bulk then ${PRIORITY.automation} when r.origin = 'person' then ${PRIORITY.reply}
      when r.origin = 'ai' then ${PRIORITY.ai} else ${PRIORITY.api} end`,
  actOnMessage: String(PRIORITY.api),
  fetchMedia: String(PRIORITY.api),
  superviseSession: String(PRIORITY.api),
  deliverWebhooks: String(PRIORITY.background),
  aiConversation: String(PRIORITY.ai),
  syncHistory: String(PRIORITY.background),
  syncContacts: String(PRIORITY.background),
  learnPhones: String(PRIORITY.background),
  // A dashboard's user waits for a rehearsal, but contacts go first.
  rehearse: String(PRIORITY.background),
  runAutomation: String(PRIORITY.automation),
  eraseContact: String(PRIORITY.background),
  exportTenant: String(PRIORITY.background),
};

const MAX_LINE_LENGTH = 105;

const HEAD = '-- Made of domain/workflows.ts by `npm run workflow-functions`; change nothing here.\n';

/**
 * Writes the registry as SQL: one function for each type of workflow, `<kind>_workflow(row)`, that answers the columns
 * of a promise of the row's workflow. TypeScript and SQL both make every promise with it, so that their promises cannot
 * differ. `npm run workflow-functions` writes the answer into `workflows.sql`, from which databases get the functions.
 */
export function workflowFunctions(): string {
  const functions = Object.keys(WORKFLOWS).filter(isPromisedType).map(workflowFunction);
  return [HEAD, ...functions].join('\n');
}

/** Writes one function. It is a plain select, so that PostgreSQL inlines it into the statement that calls it. */
function workflowFunction(type: PromisedType): string {
  const { kind, row, attributes, summary } = WORKFLOWS[type];
  const factOf = (fact: string): string => {
    const read = new Map(Object.entries(FACTS[row])).get(fact);
    if (read === undefined)
      throw new Error(`db/registry/workflow-functions.ts does not say how a row of ${row} gives ${fact}.`);
    return read;
  };
  const shown = attributes.map((name) => `${quote(name)}, ${factOf(name)}`);
  // Every second piece of the template is the name of a fact.
  const title = summary.split(/[{}]/).map((piece, place) => (place % 2 === 0 ? quote(piece) : factOf(piece)));
  return `create or replace function ${kind}_workflow(r ${row})
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select ${quote(type)}::text, ${quote(workflowId(type, ''))} || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      ${shown.join(',\n      ')})),
    ${inLines(title.filter((piece) => piece !== "''"))},
    (${PRIORITIES[type]})::smallint, r.agency_id
$$;
`;
}

/** Joins the pieces of a text, in lines that are not too wide to read. */
function inLines(pieces: readonly string[]): string {
  const lines: string[] = [];
  for (const piece of pieces) {
    const longer = [...lines.slice(-1), piece].join(' || ');
    if (lines.length > 0 && longer.length <= MAX_LINE_LENGTH) lines.splice(-1, 1, longer);
    else lines.push(piece);
  }
  return lines.join('\n      || ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
