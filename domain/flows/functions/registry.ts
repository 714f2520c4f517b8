import { CARE } from './care.ts';
import type { FlowFunction } from './function.ts';
import { OUTSIDE } from './outside.ts';
import { SAY } from './say.ts';

/** Every function that a `call` may name, with its documentation and schemas. */
export const FLOW_FUNCTIONS = { ...SAY, ...CARE, ...OUTSIDE };
export type FlowFunctionName = keyof typeof FLOW_FUNCTIONS;

const BY_NAME: ReadonlyMap<string, FlowFunction> = new Map<string, FlowFunction>(Object.entries(FLOW_FUNCTIONS));

export const isFlowFunction = (name: string): name is FlowFunctionName => BY_NAME.has(name);

export function flowFunctionOf(name: FlowFunctionName): FlowFunction {
  return FLOW_FUNCTIONS[name];
}
