import { z } from 'zod';
import { SecretName } from '../functions/outside.ts';
import type { Flow, FlowDocument } from '../flow.ts';
import type { Json, JsonObject, Problem } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { readParams } from './params.ts';
import { objectAt, Problems } from './problems.ts';
import type { Reading } from './reading.ts';
import { readSource } from './source.ts';
import { readList } from './tasks.ts';
import { readAudience, readTrigger } from './trigger.ts';

/** The variables of every expression. */
const VARIABLES = ['params', 'input', 'context', 'contact', 'event', 'conversation', 'now', 'workflow'] as const;

const word = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must have lower-case letters, digits and hyphens');

const Document = z.strictObject({
  dsl: z.string().regex(/^1\.0\.\d+$/, 'must be a version 1.0 of the standard, such as `1.0.0`'),
  namespace: word,
  name: word,
  version: z
    .string()
    .max(64)
    .regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/, 'must be a semantic version, such as `1.0.0`'),
  title: z.string().min(1).max(100).optional(),
  summary: z.string().min(1).max(1_000).optional(),
  tags: z.record(z.string().max(64), z.string().max(200)).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const Top = z.strictObject({
  document: z.unknown(),
  evaluate: z.unknown(),
  input: z.unknown().optional(),
  use: z.unknown().optional(),
  schedule: z.unknown().optional(),
  do: z.unknown(),
});

/** The standard's default is jq, so a definition says that its expressions are CEL. */
const Evaluation = z.strictObject(
  {
    language: z.literal('cel', { error: 'must be `cel`: the profile has no other expressions' }),
    mode: z.literal('strict').optional(),
  },
  { error: 'must be `{ language: cel }`, because the default of the standard is jq' },
);

const Use = z.strictObject({ secrets: z.array(SecretName).max(20).optional() });

/**
 * Reads a definition: JSON or YAML as text, or a value of JSON. All problems are answered at once, each with its place
 * and a sentence.
 */
export function parseFlow(source: unknown, form: 'json' | 'yaml'): { flow: Flow } | { problems: Problem[] } {
  const read = readSource(source, form);
  if ('problems' in read) return read;
  if (!isJsonObject(read.value)) return { problems: [{ pointer: '', message: 'A definition is an object.' }] };
  const problems = new Problems();
  const flow = readDefinition(read.value, problems);
  return flow && problems.list.length === 0 ? { flow } : { problems: problems.list };
}

/** Reads the text of a stored definition as JSON, without checking it again. */
export function definitionOf(source: string, form: 'json' | 'yaml'): JsonObject {
  const read = readSource(source, form);
  if ('value' in read && isJsonObject(read.value)) return read.value;
  throw new Error('A stored definition cannot be read.');
}

function readDefinition(given: Readonly<Record<string, Json>>, problems: Problems): Flow | null {
  problems.read(Top, given, '', '');
  const document = readDocument(given['document'], problems);
  problems.read(Evaluation, given['evaluate'], '/evaluate', 'evaluate');
  const use = given['use'] === undefined ? {} : problems.read(Use, given['use'], '/use', 'use');
  const params = readParams(given['input'], '/input', problems);
  const { trigger, template } = readTrigger(given['schedule'], params, problems);
  const audience = readAudience(objectAt(objectAt(given['document'])['metadata'])['audience'], trigger, problems);
  const reading: Reading = {
    problems,
    tasks: new Map(),
    lists: new Map(),
    declaredSecrets: new Set(use?.secrets),
    usedSecrets: new Set(),
    count: 0,
  };
  readList(reading, given['do'], { pointer: '/do', variables: VARIABLES, depth: 1 });
  if (Array.isArray(given['do']) && given['do'].length === 0) problems.add('/do', 'A workflow has at least one task.');
  return (
    document && {
      document,
      trigger,
      triggerTemplate: template,
      audience,
      params,
      secrets: [...reading.usedSecrets],
      tasks: reading.tasks,
      lists: reading.lists,
    }
  );
}

function readDocument(given: Json | undefined, problems: Problems): FlowDocument | null {
  const read = problems.read(Document, given, '/document', 'document');
  if (!read) return null;
  const { namespace, name, version, title = name, summary = '' } = read;
  return { namespace, name, version, title, summary };
}
