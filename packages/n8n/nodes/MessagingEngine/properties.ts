import type { INodeProperties } from 'n8n-workflow';
import type { Field, Operation, Resource } from '../../engine/operations.ts';
import { RESOURCES } from '../../engine/resources.ts';

const RESOURCE: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  default: 'message',
  options: RESOURCES.map(({ name, value }) => ({ name, value })),
};

const OPERATION: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  default: '',
};

function operationsOf({ value, operations }: Resource): INodeProperties {
  return {
    ...OPERATION,
    default: operations[0]?.value ?? '',
    displayOptions: { show: { resource: [value] } },
    options: operations.map((each) => ({ name: each.name, value: each.value, action: each.action })),
  };
}

function fieldOf(resource: string, operation: string, field: Field): INodeProperties {
  const { name, displayName, description, type, options, listed, required = false } = field;
  return {
    displayName,
    name: parameterOf(operation, field),
    description,
    type,
    required,
    default: type === 'number' ? 50 : type === 'options' ? (options?.[0] ?? '') : type === 'json' ? '{}' : '',
    displayOptions: { show: { resource: [resource], operation: [operation] } },
    ...(name === 'limit' ? { typeOptions: { minValue: 1, maxValue: 100 } } : {}),
    ...(listed === undefined ? {} : { typeOptions: { loadOptionsMethod: listed } }),
    ...(options === undefined ? {} : { options: options.map((value) => ({ name: value, value })) }),
  };
}

/** Operations have fields of equal names and other words, so each has parameters of its own. */
export const parameterOf = (operation: string, { name }: Field): string => `${operation}_${name}`;

const ofOperation = (resource: string, { value, fields }: Operation): INodeProperties[] =>
  fields.map((field) => fieldOf(resource, value, field));

export const PROPERTIES: INodeProperties[] = [
  RESOURCE,
  ...RESOURCES.map(operationsOf),
  ...RESOURCES.flatMap(({ value, operations }) => operations.flatMap((each) => ofOperation(value, each))),
];
