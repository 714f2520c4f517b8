import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributePair } from '@temporalio/common';
import { ServiceError } from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../domain/workflows.ts';
import type { SearchAttribute } from '../../domain/workflows.ts';

/** Temporal's number for the type Keyword in its operator API. */
const KEYWORD = 2;

const KEYS = new Map(SEARCH_ATTRIBUTES.map((name) => [name, defineSearchAttributeKey(name, 'KEYWORD')]));

/** The search attributes that the namespace has, and the command that creates the others when the engine may not. */
export interface AvailableSearchAttributes {
  names: ReadonlySet<SearchAttribute>;
  /** The command that an operator must run; null when nothing is missing. */
  missingCommand: string | null;
}

/**
 * Registers missing attributes if the engine may. Otherwise starts leave them out, because Temporal refuses a start
 * with an attribute that the namespace lacks. If the engine may not even ask which attributes there are, starts leave
 * out all of them.
 */
export async function ensureSearchAttributes(
  connection: ConnectionLike,
  namespace: string,
): Promise<AvailableSearchAttributes> {
  let names: Set<SearchAttribute>;
  try {
    names = await listPresent(connection, namespace);
  } catch (error) {
    if (!isClosedToUs(error)) throw error;
    return { names: new Set(), missingCommand: commandFor(SEARCH_ATTRIBUTES, namespace) };
  }
  let missing = SEARCH_ATTRIBUTES.filter((name) => !names.has(name));
  if (missing.length > 0 && (await tryToAdd(connection, namespace, missing))) {
    names = await listPresent(connection, namespace);
    missing = SEARCH_ATTRIBUTES.filter((name) => !names.has(name));
  }
  return { names, missingCommand: missing.length === 0 ? null : commandFor(missing, namespace) };
}

async function listPresent(connection: ConnectionLike, namespace: string): Promise<Set<SearchAttribute>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return new Set(SEARCH_ATTRIBUTES.filter((name) => customAttributes[name] === KEYWORD));
}

/**
 * Returns false when the operator API is closed to the engine (Temporal Cloud, locked-down clusters). Then the command
 * is shown.
 */
async function tryToAdd(connection: ConnectionLike, namespace: string, missing: SearchAttribute[]): Promise<boolean> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
    return true;
  } catch {
    return false;
  }
}

/** The gRPC codes (source: its specification) by which a server says that it does not offer us the operator API. */
const CLOSED: readonly unknown[] = [7, 12];

/** A worker's own connection has the code on the error itself, a client's on its cause. */
function isClosedToUs(error: unknown): boolean {
  const cause: unknown = error instanceof ServiceError ? (error.cause ?? error) : error;
  return typeof cause === 'object' && cause !== null && CLOSED.includes(Reflect.get(cause, 'code'));
}

function commandFor(missing: readonly string[], namespace: string): string {
  const flags = missing.map((name) => `--name ${name} --type Keyword`).join(' ');
  return `temporal operator search-attribute create --namespace ${namespace} ${flags}`;
}

export function searchAttributePairs(
  values: Readonly<Record<string, unknown>>,
  available: ReadonlySet<SearchAttribute>,
): SearchAttributePair[] {
  return SEARCH_ATTRIBUTES.flatMap((name) => {
    const value = values[name];
    const key = KEYS.get(name);
    return typeof value !== 'string' || key === undefined || !available.has(name) ? [] : [{ key, value }];
  });
}
