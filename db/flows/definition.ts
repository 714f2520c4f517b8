import { z } from 'zod';
import { automationOfFlow, flowOfAutomation } from '../../domain/automations/name.ts';
import type { Definition } from '../../domain/automations/definition.ts';
import { configureFlow, outlineOf, paramsSchema, parseFlow } from '../../domain/flows/index.ts';
import type { Flow, FlowOutline } from '../../domain/flows/index.ts';
import type { Queries } from '../engine/tx.ts';
import { findFlow, listOutlines, readSource } from './flow.ts';
import type { FlowSource, OutlineRow } from './flow.ts';

/** Parsed definitions of this process. A version never changes, so none of them gets old. */
const parsed = new Map<string, Flow>();
/** The sources of those that are kept. A thousand of the largest would fill the memory. */
const MAX_SOURCE_CHARS = 16 * 1_048_576;
let sourceChars = 0;

/** A release whose rules are stricter than those of the one that stored it cannot read this version. */
export class UnreadableFlow extends Error {}

/** Reads a version of a workflow. Undefined if no such version exists. */
export async function readFlow(queries: Pick<Queries, 'sql'>, id: string, version: number): Promise<Flow | undefined> {
  const key = `${id}/${version}`;
  const known = parsed.get(key);
  if (known) return known;
  const text = await readSource(queries, id, version);
  if (!text) return undefined;
  const read = parseFlow(text.source, text.form);
  if (!('flow' in read)) throw new UnreadableFlow(`This release cannot read version ${version} of workflow ${id}.`);
  // A process that meets more definitions than this parses again, which is cheaper than an order of use.
  sourceChars += text.source.length;
  if (sourceChars > MAX_SOURCE_CHARS) {
    parsed.clear();
    sourceChars = text.source.length;
  }
  parsed.set(key, read.flow);
  return read.flow;
}

/** Finds the stored workflow that is an automation under this name. */
export async function findStoredDefinition(
  queries: Queries,
  agencyId: string,
  automation: string,
): Promise<Definition | undefined> {
  const id = flowOfAutomation(automation);
  const outline = id === null ? undefined : await readOutline(queries, agencyId, id);
  return outline && definitionOfFlow(outline, outline.version);
}

/** Reads the current text of the stored workflow that is an automation under this name. */
export async function findFlowText(
  queries: Queries,
  agencyId: string,
  automation: string,
): Promise<FlowSource | undefined> {
  const id = flowOfAutomation(automation);
  const found = id === null ? undefined : await findFlow(queries, agencyId, id);
  return found && readSource(queries, found.id, found.version);
}

/** Lists an agency's stored workflows as automations that a tenant can switch on. */
export async function listStoredDefinitions(
  queries: Queries,
  agencyId: string,
): Promise<{ name: string; definition: Definition }[]> {
  const listed: { name: string; definition: Definition }[] = [];
  for (const found of await listOutlines(queries, agencyId)) {
    const outline = await outlineOfRow(queries, found);
    if (outline)
      listed.push({ name: automationOfFlow(found.id), definition: definitionOfFlow(outline, found.version) });
  }
  return listed;
}

/** Reads the outline of the current version of a workflow, without a parser. */
export async function readOutline(
  queries: Queries,
  agencyId: string,
  id: string,
): Promise<(FlowOutline & { version: number }) | undefined> {
  const [found] = await listOutlines(queries, agencyId, id);
  const outline = found && (await outlineOfRow(queries, found));
  return found && outline && { ...outline, version: found.version };
}

/** A version that was stored without its outline is parsed. */
async function outlineOfRow(
  queries: Queries,
  { id, version, title, summary, params, triggerTemplate }: OutlineRow,
): Promise<FlowOutline | undefined> {
  if (summary !== null && params !== null && triggerTemplate !== null)
    return { title, summary, params, triggerTemplate };
  const flow = await readFlow(queries, id, version);
  return flow && outlineOf(flow);
}

/** The words of a request for a run: the definition reads them as `input`. */
const Input = z.record(z.string().min(1).max(64), z.json());

/** Makes of a workflow what the API and the database know of an automation. It sends no named texts. */
export function definitionOfFlow(outline: FlowOutline, version: number): Definition {
  const { title, summary } = outline;
  return {
    title,
    description: summary,
    version,
    schema: paramsSchema(outline),
    input: z.looseObject({}),
    usual: {},
    answers: {},
    configure(given) {
      const { texts: _texts, ...set } = z.record(z.string(), z.unknown()).catch({}).parse(given);
      const configured = configureFlow(outline, set);
      return 'wrong' in configured ? configured : { ...configured, params: { ...configured.params, texts: {} } };
    },
    readInput(given) {
      if (given === undefined) return { input: null };
      const read = Input.safeParse(given);
      if (read.success) return { input: read.data };
      return {
        wrong: read.error.issues.map(({ path, message }) => ({ pointer: ['/input', ...path].join('/'), message })),
      };
    },
  };
}
