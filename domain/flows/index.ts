export { FLOW_BOUNDS } from './bounds.ts';
export { FLOW_END_REASONS, outlineOf, SEMANTICS_VERSION } from './flow.ts';
export type {
  Audience,
  Evaluate,
  Flow,
  FlowEndReason,
  FlowError,
  FlowOutline,
  FlowTask,
  ListenFilter,
  Outcome,
  Param,
  Passed,
  Scope,
} from './flow.ts';
export { createEvaluator, ExpressionError } from './cel/evaluator.ts';
export type { Evaluator } from './cel/evaluator.ts';
export { FLOW_FUNCTIONS, flowFunctionOf, isFlowFunction } from './functions/registry.ts';
export type { FlowFunctionName } from './functions/registry.ts';
export type { FlowFunction } from './functions/function.ts';
export { SecretName } from './functions/outside.ts';
export { asJson } from './json.ts';
export type { Json, Problem } from './json.ts';
export { definitionOf, parseFlow } from './read/document.ts';
export { paramsSchema } from './read/params.ts';
export { configureFlow, EVENT_TRIGGERS } from './read/trigger.ts';
export { next } from './run/next.ts';
export { begin, FlowState } from './run/state.ts';
export type { FlowFacts } from './run/state.ts';
export { Todo } from './run/todo.ts';
export { READY_FLOWS, readyFlow } from './ready.ts';
export type { ReadyFlowName } from './ready.ts';
