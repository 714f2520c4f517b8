import type { z } from 'zod';

/** A function that a `call` names. Its behaviour is bound by its name. */
export interface FlowFunction<Input extends z.ZodType = z.ZodType, Output extends z.ZodObject = z.ZodObject> {
  title: string;
  doc: string;
  /**
   * `visible`: the contact or a person notices it. `silent`: nobody does. `wait`: it takes time. `call`: it reaches
   * another system.
   */
  kind: 'visible' | 'silent' | 'wait' | 'call';
  input: Input;
  output: Output;
}

/** Keeps the types of the schemas. */
export const flowFunction = <Input extends z.ZodType, Output extends z.ZodObject>(
  each: FlowFunction<Input, Output>,
): FlowFunction<Input, Output> => each;
