import { ERROR_CODES } from '../../../domain/error.ts';
import { answersOf, eachSchema, listOf, nodeOf, operationsOf, requestOf, resolved, textOf } from './read-document.ts';
import type { Node } from './read-document.ts';

/** Looks at the document and says, in a sentence to the author of a route, what is missing and how to add it. */
export type Rule = (document: Node) => string[];

const NAME = /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/;

export const namesAreMethods: Rule = (document) => {
  const operations = operationsOf(document);
  const names = operations.map(({ node }) => textOf(node['operationId']));
  return operations.flatMap(({ name, node }) => {
    const id = textOf(node['operationId']);
    if (!NAME.test(id))
      return [`${name} is called "${id}": give it an operationId of a group and a verb, as messages.send.`];
    return names.filter((other) => other === id).length > 1
      ? [`${name} has the name ${id} of another: choose one of its own.`]
      : [];
  });
};

export const tagsAreDescribedGroups: Rule = (document) => {
  const described = listOf(document['tags']).map((tag) => textOf(nodeOf(tag)['name']));
  return operationsOf(document).flatMap(({ name, node }) => {
    const group = textOf(node['operationId']).split('.')[0] ?? '';
    return described.includes(group)
      ? []
      : [`${name} belongs to the group ${group}: describe it in api/route/groups.ts.`];
  });
};

export const bodiesAreRequired: Rule = (document) =>
  operationsOf(document).flatMap(({ name, node }) => {
    const body = nodeOf(node['requestBody']);
    return node['requestBody'] === undefined || body['required'] === true
      ? []
      : [`The body of ${name} is not required: mark it.`];
  });

export const bodiesRefuseUnknownFields: Rule = (document) =>
  operationsOf(document).flatMap((operation) => {
    const body = requestOf(operation);
    if (body === undefined || operation.isWebhook) return [];
    const open = resolved(document, body.schema)['additionalProperties'] !== false;
    return open ? [`${body.where} ignores unknown fields: use z.strictObject, so that a typing error is told.`] : [];
  });

export const propertiesAreDescribed: Rule = (document) => {
  const missing: string[] = [];
  const look = (schema: Node, where: string): void => {
    for (const [name, property] of Object.entries(nodeOf(schema['properties']))) {
      if (textOf(nodeOf(property)['description']) === '') {
        missing.push(
          `${where}.${name} has no description: add .meta({ description }) with its meaning, unit and limits.`,
        );
      }
    }
  };
  eachSchema(nodeOf(document['components'])['schemas'], '', look);
  for (const { name, node } of operationsOf(document)) eachSchema(node, name, look);
  return missing;
};

export const schemasAreDescribed: Rule = (document) =>
  Object.entries(nodeOf(nodeOf(document['components'])['schemas'])).flatMap(([name, schema]) =>
    textOf(nodeOf(schema)['description']) === ''
      ? [`The schema ${name} has no description: add one beside its id.`]
      : [],
  );

export const parametersAreDescribed: Rule = (document) =>
  operationsOf(document).flatMap(({ name, node }) =>
    listOf(node['parameters']).flatMap((parameter) => {
      const { description, name: own } = resolved(document, parameter);
      return textOf(description) === '' ? [`The parameter ${textOf(own)} of ${name} has no description: add one.`] : [];
    }),
  );

export const fieldsAreNotDemandedForTheirDefault: Rule = (document) => {
  const wrong: string[] = [];
  const look = (schema: Node, where: string): void => {
    for (const [name, property] of Object.entries(nodeOf(schema['properties']))) {
      if (nodeOf(property)['default'] !== undefined)
        wrong.push(`${where}.${name} has a default, which makes generators demand it: say it in the description.`);
    }
  };
  eachSchema(nodeOf(nodeOf(document['components'])['schemas']), '', look);
  for (const operation of operationsOf(document))
    eachSchema(nodeOf(requestOf(operation)?.schema), operation.name, look);
  return wrong;
};

/** Generators call the type of a list of words by its schema and its property. */
export const namesOfWordsAreFree: Rule = (document) => {
  const schemas = nodeOf(nodeOf(document['components'])['schemas']);
  return Object.entries(schemas).flatMap(([schema, node]) =>
    Object.entries(nodeOf(nodeOf(node)['properties'])).flatMap(([property, words]) => {
      const name = `${schema}${property.slice(0, 1).toUpperCase()}${property.slice(1)}`;
      return nodeOf(words)['enum'] !== undefined && name in schemas
        ? [`${schema}.${property} is called ${name} in clients, as a schema is: call that one otherwise.`]
        : [];
    }),
  );
};

export const everythingHasAnExample: Rule = (document) =>
  operationsOf(document).flatMap((operation) =>
    [requestOf(operation) ?? [], answersOf(operation)]
      .flat()
      .filter(({ examples }) => examples.length === 0)
      .map(
        ({ where }) => `${where} has no example: use it in tools/examples/walk.ts and run "npm run record-examples".`,
      ),
  );

/** Generators take it for one of the document's own, and end when it leads nowhere. */
export const examplesHoldNoReference: Rule = (document) =>
  operationsOf(document)
    .flatMap((operation) => [requestOf(operation) ?? [], answersOf(operation)].flat())
    .filter(({ examples }) => JSON.stringify(examples).includes('"$ref":'))
    .map(({ where }) => `${where} has an example with a "$ref": write what it leads to instead.`);

/** The fields of an answer that always are one of a few words. */
const WORDS = ['status', 'kind', 'origin', 'mode', 'outcome', 'rule', 'code', 'ackName', 'cause'];

/**
 * Words that others choose, so that no list of them is ever whole: the network's reasons, and those of models. The
 * agent's context shows the kinds of messages without knowing them. A pairing code is the network's.
 */
const OPEN = [
  'PairingCode.code',
  'InboxContext.messages.kind',
  'SessionRestrictedEvent.payload.code',
  'Rehearsal.error.code',
  'RehearsalResult.error.code',
];

export const wordsAreListed: Rule = (document) => {
  const open: string[] = [];
  eachSchema(nodeOf(nodeOf(document['components'])['schemas']), '', (schema, where) => {
    for (const [name, property] of Object.entries(nodeOf(schema['properties']))) {
      if (!WORDS.includes(name) || isListed(document, property)) continue;
      open.push(`${where}.${name} is any text: use z.enum, or list the words that are known in .meta({ enum }).`);
    }
  });
  return open.filter((sentence) => !OPEN.some((known) => sentence.includes(known)));
};

function isListed(document: Node, property: unknown): boolean {
  const schema = resolved(document, property);
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return true;
  if (schema['type'] === 'integer' || schema['type'] === 'object') return true;
  return listOf(schema['anyOf']).some((part) => isListed(document, part));
}

export const listsAreMarked: Rule = (document) =>
  operationsOf(document).flatMap((operation) => {
    const { name, node } = operation;
    const mark = nodeOf(node['x-pagination']);
    const [answer] = answersOf(operation);
    const fields = nodeOf(resolved(document, answer?.schema)['properties']);
    const asked = listOf(node['parameters']).map((parameter) => textOf(nodeOf(parameter)['name']));
    const isList = 'hasMore' in fields || resolved(document, answer?.schema)['type'] === 'array';
    if (isList && node['x-pagination'] === undefined)
      return [`${name} answers a list: call it "list…", so that it gets its mark.`];
    const said = ['items', 'next', 'more'].map((key) => mark[key]).filter((field) => typeof field === 'string');
    const missing = said.filter((field) => !(field in fields));
    const unasked = ['limit', 'cursor', 'offset']
      .map((key) => mark[key])
      .filter((field) => typeof field === 'string' && !asked.includes(field));
    return [...missing, ...unasked].map((field) => `${name} is marked with ${textOf(field)}, which it does not have.`);
  });

export const errorsAreDeclared: Rule = (document) =>
  operationsOf(document)
    .filter(({ isWebhook }) => !isWebhook)
    .flatMap(({ name, node }) => {
      const codes = listOf(node['x-error-codes']).map(textOf);
      const told = Object.keys(nodeOf(node['responses'])).flatMap((status) =>
        Object.keys(
          nodeOf(
            nodeOf(
              nodeOf(resolved(document, nodeOf(node['responses'])[status])['content'])['application/problem+json'],
            )['examples'],
          ),
        ),
      );
      const unknown = codes.filter((code) => !ERROR_CODES.some((known) => known === code));
      const untold = codes.filter((code) => !told.includes(code));
      return [...unknown, ...untold].map(
        (code) => `${name} may answer ${code}, of which the table of errors has nothing.`,
      );
    });

export const datesHaveNoPattern: Rule = (document) => {
  const both: string[] = [];
  const look = (schema: Node, where: string): void => {
    for (const [name, property] of Object.entries(nodeOf(schema['properties']))) {
      const { format, pattern } = nodeOf(property);
      if (format !== undefined && pattern !== undefined)
        both.push(`${where}.${name} has a pattern beside its format: tools make absurd examples of it.`);
    }
  };
  eachSchema(nodeOf(document['components'])['schemas'], '', look);
  return both;
};
