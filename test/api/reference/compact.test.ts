import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createOpenApiDocument } from '../../../api/openapi.ts';
import { compact, writeCompact } from '../../../api/reference/compact.ts';
import { routes } from '../../../api/routes.ts';
import { sentencesOf, wordsOf } from '../../../tools/language/sentences.ts';
import { eachSchema, listOf, nodeOf, operationsOf, resolved, textOf } from './read-document.ts';
import type { Node } from './read-document.ts';

const whole: Node = nodeOf(JSON.parse(JSON.stringify(createOpenApiDocument(routes))));
const small: Node = nodeOf(compact(whole));
const operations = operationsOf(small);

/** May only fall. */
const MAX_BYTES = 600_000;

/** Annotations of a schema, which allow no other value. */
const ANNOTATIONS = new Set(['description', 'example', 'examples', 'title', 'id']);

/** Lists of words are equal in any order. */
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Writes out a schema with its references, so that two ways of writing it are equal. `open` ends a circle. */
function writtenOut(document: Node, value: unknown, open: readonly string[] = []): unknown {
  const schema = resolved(document, value);
  const fields = Object.keys(nodeOf(schema['properties'])).join();
  if (fields !== '' && open.filter((each) => each === fields).length > 1) return 'circle';
  const inside = (inner: unknown): unknown => writtenOut(document, inner, [...open, fields]);
  const parts = listOf(schema['allOf']).map((part) => nodeOf(inside(part)));
  const own = Object.entries(schema)
    .filter(([key]) => !ANNOTATIONS.has(key) && key !== 'allOf')
    .map(([key, inner]) => [key, keywordOf(key, inner, inside)]);
  return joined([...parts, Object.fromEntries(own)]);
}

function keywordOf(key: string, value: unknown, inside: (inner: unknown) => unknown): unknown {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(nodeOf(value)).map(([name, inner]) => [name, inside(inner)]));
  if (['anyOf', 'oneOf'].includes(key)) return listOf(value).map(inside);
  if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object')) return inside(value);
  return Array.isArray(value) ? value.toSorted(byText) : value;
}

/** The fields of all parts together. Answers are open in the small document, and no number has bounds of its own. */
function joined(parts: readonly Node[]): Node {
  const all: Node = Object.assign({}, ...parts);
  const properties = Object.assign({}, ...parts.map((part) => nodeOf(part['properties'])));
  const required = [...new Set(parts.flatMap((part) => listOf(part['required'])))].toSorted(byText);
  if (all['additionalProperties'] === false) delete all['additionalProperties'];
  if (all['minimum'] === Number.MIN_SAFE_INTEGER) delete all['minimum'];
  if (all['maximum'] === Number.MAX_SAFE_INTEGER) delete all['maximum'];
  return {
    ...all,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The shapes that an operation takes and answers, without texts. */
function shapesOf(document: Node) {
  return operationsOf(document).map(({ name, node }) => {
    const parameters = listOf(node['parameters']).map((each) => {
      const { name: own, in: place, required, schema } = resolved(document, each);
      return { own, place, required, schema: writtenOut(document, schema) };
    });
    const answers = Object.entries(nodeOf(node['responses'])).filter(([status]) => status.startsWith('2'));
    const contents = [node['requestBody'], ...answers.map(([, answer]) => resolved(document, answer))].map((holder) =>
      Object.entries(nodeOf(nodeOf(holder)['content'])).map(([type, content]) => [
        type,
        writtenOut(document, nodeOf(content)['schema']),
      ]),
    );
    return { name, parameters, statuses: answers.map(([status]) => status), contents };
  });
}

describe('openapi.json', () => {
  it('is what the routes make: npm run openapi', () => {
    expect(readFileSync('openapi.json', 'utf8') === writeCompact(compact(whole))).toBe(true);
  });

  it('is small', () => {
    expect(writeCompact(compact(whole)).length).toBeLessThan(MAX_BYTES);
  });

  it('takes and answers what the whole document describes', () => {
    expect(shapesOf(small)).toEqual(shapesOf(whole));
  });

  it('keeps each body closed against unknown fields', () => {
    const open = operations.filter(({ node, isWebhook }) => {
      const { schema } = nodeOf(nodeOf(nodeOf(node['requestBody'])['content'])['application/json']);
      return !isWebhook && schema !== undefined && resolved(small, schema)['additionalProperties'] !== false;
    });
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('has no examples but those of parameters', () => {
    const components = nodeOf(small['components']);
    expect(components['examples']).toBeUndefined();
    const found: string[] = [];
    const look = (node: unknown, where: string, isNames = false): void => {
      if (Array.isArray(node)) for (const item of node) look(item, where);
      for (const [key, inner] of Object.entries(nodeOf(node))) {
        if (!isNames && /^examples?$/.test(key)) found.push(where);
        look(inner, `${where}.${key}`, key === 'properties' && !isNames);
      }
    };
    for (const [name, schema] of Object.entries(nodeOf(components['schemas']))) look(schema, name);
    for (const { name, node } of operations) look([node['requestBody'], node['responses']], name);
    expect(found).toEqual([]);
  });

  it('refers to each parameter that two operations share, and to refusals', () => {
    const inline = operations.flatMap(({ node }) =>
      listOf(node['parameters']).filter((each) => nodeOf(each)['$ref'] === undefined),
    );
    const texts = inline.map((each) => JSON.stringify(each));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    const refused = operations.flatMap(({ node }) =>
      Object.entries(nodeOf(node['responses'])).filter(([status]) => /^[45]/.test(status)),
    );
    expect(refused.filter(([, answer]) => nodeOf(answer)['$ref'] === undefined)).toEqual([]);
    expect(new Set(refused.map(([status]) => status))).toEqual(new Set(['4XX', '5XX']));
  });

  it('lists every code of an operation, with the general ones', () => {
    const general = listOf(nodeOf(nodeOf(nodeOf(small['components'])['responses'])['Refused'])['x-error-codes']);
    const own = new Map(operations.map(({ name, node }) => [name, listOf(node['x-error-codes'])]));
    const untold = operationsOf(whole).flatMap(({ name, node }) =>
      listOf(node['x-error-codes']).filter((code) => !general.includes(code) && !own.get(name)?.includes(code)),
    );
    expect(untold).toEqual([]);
  });

  it('describes every schema, property and parameter, or what it refers to', () => {
    const missing: string[] = [];
    const isDescribed = (value: unknown): boolean => {
      const node = nodeOf(value);
      const parts = [node, resolved(small, node), ...listOf(node['anyOf']).map((part) => resolved(small, part))];
      return parts.some(({ description }) => textOf(description) !== '');
    };
    eachSchema(nodeOf(small['components'])['schemas'], '', (schema, where) => {
      for (const [name, property] of Object.entries(nodeOf(schema['properties'])))
        if (!isDescribed(property)) missing.push(`${where}.${name}`);
    });
    for (const { name, node } of operations)
      for (const each of listOf(node['parameters'])) if (!isDescribed(each)) missing.push(name);
    expect(missing).toEqual([]);
  });

  it('has summaries of at most 8 words', () => {
    const long = operations.map(({ node }) => textOf(node['summary'])).filter((text) => wordsOf(text).length > 8);
    expect(long).toEqual([]);
  });

  it('has descriptions of at most 2 sentences', () => {
    const long = operations
      .map(({ node }) => textOf(node['description']))
      .filter((text) => sentencesOf(text).length > 2);
    expect(long).toEqual([]);
  });
});
