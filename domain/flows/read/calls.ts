import { Duration } from '../duration.ts';
import type { Template } from '../flow.ts';
import { hasExpression } from '../expression.ts';
import { FLOW_FUNCTIONS, flowFunctionOf, isFlowFunction } from '../functions/registry.ts';
import type { Json } from '../json.ts';
import { below, isJsonObject } from '../json.ts';
import { objectAt } from './problems.ts';
import { REFUSED_CALLS } from './refusals.ts';
import type { Reading } from './reading.ts';

interface GivenCall {
  name: string;
  path: string;
  given: Json;
  variables: readonly string[];
}

/** Reads the arguments of a call. Arguments with expressions are checked again in a run. */
export function readCall(reading: Reading, { name, path, given, variables }: GivenCall): Template {
  const { problems } = reading;
  const at = below(path, 'with');
  if (!isFlowFunction(name)) {
    const known = Object.keys(FLOW_FUNCTIONS).join(', ');
    const remote = name.includes('@') || name.includes('/');
    const unknown = remote
      ? 'The profile has no functions from catalogs, because it reads no remote resources.'
      : `No function ${name} exists. There are ${known}.`;
    problems.add(below(path, 'call'), REFUSED_CALLS.get(name) ?? unknown);
    return given;
  }
  if (!isJsonObject(given)) {
    problems.add(at, 'The arguments are an object.');
    return given;
  }
  problems.readTemplate(flowFunctionOf(name).input, given, at, name);
  problems.template(given, at, variables);
  if (name === 'http') readAddress(reading, given['endpoint'], below(at, 'endpoint'));
  return given;
}

/** The host of a request is fixed: an expression could send the data of a contact to a host of the contact's choice. */
function readAddress(
  { problems, declaredSecrets, usedSecrets }: Reading,
  endpoint: Json | undefined,
  pointer: string,
): void {
  const [uri, at] =
    typeof endpoint === 'string' ? [endpoint, pointer] : [objectAt(endpoint)['uri'], below(pointer, 'uri')];
  if (typeof uri === 'string') {
    // A parser of addresses drops spaces and tabs, and reads `\` as `/`: a host that is not plain may be another one.
    const host = /^https?:\/\/([^/?#\\\s]+)(?=[/?#]|$)/i.exec(uri)?.[1];
    if (hasExpression(uri)) problems.add(at, 'The address holds no expressions. Use `{name}` in its path, or `query`.');
    else if (host === undefined || /[{@]/.test(host))
      problems.add(at, 'The host of the address is fixed, and names no user.');
  }
  const authentication = objectAt(objectAt(endpoint)['authentication']);
  const secret = objectAt(Object.values(authentication)[0])['use'];
  if (typeof secret !== 'string') return;
  usedSecrets.add(secret);
  if (!declaredSecrets.has(secret))
    problems.add(
      below(pointer, 'authentication', Object.keys(authentication)[0] ?? '', 'use'),
      `The secret ${secret} is not listed in \`use.secrets\`.`,
    );
}

/** Reads a duration, or the expression of one. */
export function readWait({ problems }: Reading, given: Json, pointer: string, variables: readonly string[]): Template {
  problems.readTemplate(Duration, given, pointer, 'wait');
  problems.template(given, pointer, variables);
  return given;
}
