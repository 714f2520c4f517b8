import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributePair } from '@temporalio/common';
import { ServiceError } from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../domain/workflows.ts';
import type { SearchAttribute } from '../domain/workflows.ts';

/** Temporal's number for the type Keyword in its operator API. */
const KEYWORD = 2;

const KEYS = new Map(SEARCH_ATTRIBUTES.map((name) => [name, defineSearchAttributeKey(name, 'KEYWORD')]));

/** Which search attributes the namespace has, and how to make the missing ones where we may not. */
export interface AvailableSearchAttributes {
  names: ReadonlySet<SearchAttribute>;
  /** The command an operator must run; null when nothing is missing. */
  missingCommand: string | null;
}

/**
 * Registers what is missing where that is permitted; where it is not, starts leave the attribute out. Where we may not even
 * ask, all are left out: an attribute that is not there would have every start refused.
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

/** False where the operator API is closed to us (Temporal Cloud, locked-down clusters): the command is shown instead. */
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

/** gRPC's codes (source: its specification) of a server that does not offer the operator API, or not to us. */
const CLOSED: readonly unknown[] = [7, 12];

function isClosedToUs(error: unknown): boolean {
  const cause: unknown = error instanceof ServiceError ? error.cause : error;
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
