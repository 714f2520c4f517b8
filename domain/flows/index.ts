export { FLOW_BOUNDS, FLOW_END_REASONS, SEMANTICS_VERSION } from './flow.ts';
export type {
  Evaluate,
  Flow,
  FlowEndReason,
  FlowError,
  FlowTask,
  ListenFilter,
  Outcome,
  Param,
  Passed,
  Scope,
  Todo,
} from './flow.ts';
export { FLOW_FUNCTIONS, flowFunctionOf, isFlowFunction } from './functions/registry.ts';
export type { FlowFunctionName } from './functions/registry.ts';
export type { FlowFunction } from './functions/function.ts';
export type { Json, Problem } from './json.ts';
