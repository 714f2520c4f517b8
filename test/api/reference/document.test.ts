import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../../../api/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { answersOf, nodeOf, operationsOf, requestOf } from './read-document.ts';
import type { Node } from './read-document.ts';
import * as rules from './rules.ts';
import type { Rule } from './rules.ts';

const whole = (): Node => nodeOf(JSON.parse(JSON.stringify(createOpenApiDocument(routes))));
const document = whole();

/** A document of one route that lacks everything that the rules ask for. */
const POOR: Node = {
  tags: [],
  paths: {
    '/things': {
      get: {
        operationId: 'getThings',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        'x-error-codes': ['no_such_code'],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } } },
        },
      },
      post: {
        operationId: 'getThings',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { name: { default: 1 } } },
              example: { name: { $ref: '#/$defs/Name' } },
            },
          },
        },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Things: {
        type: 'object',
        properties: {
          things: { type: 'array', items: {} },
          hasMore: { type: 'boolean' },
          status: { type: 'string' },
          mark: { enum: ['a'] },
          at: { type: 'string', format: 'date-time', pattern: '^2' },
        },
      },
      ThingsMark: { type: 'object' },
    },
  },
};

const RULES: [string, Rule][] = [
  ['has a name of its own that a client library can use', rules.namesAreMethods],
  ['belongs to a group that is described', rules.tagsAreDescribedGroups],
  ['has its body marked as required', rules.bodiesAreRequired],
  ['refuses unknown fields of its body', rules.bodiesRefuseUnknownFields],
  ['has every property described', rules.propertiesAreDescribed],
  ['has every schema described', rules.schemasAreDescribed],
  ['has every parameter described', rules.parametersAreDescribed],
  ['demands no field for its default', rules.fieldsAreNotDemandedForTheirDefault],
  ['leaves the names free that clients give to lists of words', rules.namesOfWordsAreFree],
  ['has an example of its request and of each answer', rules.everythingHasAnExample],
  ['has no reference in an example', rules.examplesHoldNoReference],
  ['lists the words of states and kinds', rules.wordsAreListed],
  ['marks how its list is read to the end', rules.listsAreMarked],
  ['declares errors that the table has', rules.errorsAreDeclared],
  ['gives dates a format alone', rules.datesHaveNoPattern],
];

describe.each(RULES)('each operation of the document %s', (_, rule) => {
  it('in this tree', () => {
    expect(rule(document)).toEqual([]);
  });

  it('or its author is told what to add', () => {
    const [sentence] = rule(POOR);
    expect(sentence).toMatch(/^.+: .+\.$|which it does not have\.$|has nothing\.$/);
  });
});

describe('the examples of the document', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Ajv warns of a format that it does not know.
  ajv.addFormat('base64', true);
  ajv.addSchema({ $id: 'openapi', ...document });
  const validate = (schema: unknown, value: unknown): string => {
    const pointed = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'));
    const check = ajv.compile(nodeOf(pointed));
    return check(value) ? '' : ajv.errorsText(check.errors);
  };

  it('of requests, answers and events fit their schemas', () => {
    const contents = operationsOf(document).flatMap((each) => [requestOf(each) ?? [], answersOf(each)].flat());
    const wrong = contents.flatMap(({ where, schema, examples }) =>
      examples.map((example) => `${where}: ${validate(schema, example)}`).filter((text) => !text.endsWith(': ')),
    );
    expect(wrong).toEqual([]);
    expect(contents.length).toBeGreaterThan(100);
  });

  it('of errors fit the schema of a problem', () => {
    const examples = Object.values(nodeOf(nodeOf(document['components'])['examples']));
    const Problem = { $ref: '#/components/schemas/Problem' };
    expect(
      examples.map((example) => validate(Problem, nodeOf(example)['value'])).filter((text) => text !== ''),
    ).toEqual([]);
  });

  it('that does not fit is found', () => {
    expect(validate({ $ref: '#/components/schemas/Problem' }, { status: 'x' })).not.toBe('');
  });
});
