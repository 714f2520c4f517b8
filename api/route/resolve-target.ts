import { EngineError, notFound } from '../../domain/error.ts';
import type { Reach, Scope } from '../../domain/scope.ts';
import type { Identified, Identity } from './caller.ts';
import { missingTarget } from './target.ts';
import type { NamedTarget } from './target.ts';

/** An operator's route of an agency, too, may name an object in place of the agency. */
export async function agencyOf(
  identity: Identity,
  who: Identified,
  target: NamedTarget,
  what: 'agency' | 'tenant' = 'agency',
): Promise<string> {
  if (who.kind === 'dashboard') {
    if (isOther(target.agencyId, who.agencyId)) throw notFound(what);
    return who.agencyId;
  }
  if (who.kind !== 'master') throw new EngineError('forbidden', 'This key may not act for an agency.');
  if (target.agencyId === undefined) return impliedAgency(identity, target);
  // The master key may know of any agency, so it hears which of the two is missing.
  if ((await identity.agencyStatus(target.agencyId)) === undefined) throw notFound('agency');
  return target.agencyId;
}

/** Derives the scope of a request from its key and from what it names in path, query or body. */
export async function tenantOf(
  identity: Identity,
  who: Identified,
  target: NamedTarget,
  takesUnknownTenant: boolean,
): Promise<Scope> {
  if (who.kind === 'session') {
    const { agencyId, tenantId, sessionId } = who;
    if (isOther(target.agencyId, agencyId) || isOther(target.tenantId, tenantId)) throw notFound('tenant');
    return { agencyId, tenantId, sessionId };
  }
  const agencyId = await agencyOf(identity, who, target, 'tenant');
  if (who.kind === 'dashboard' && who.bounds) return tenantOfLink(agencyId, who.bounds.tenantId, target);
  if (target.tenantId === undefined) return impliedTenant(identity, agencyId, target);
  const scope = { agencyId, tenantId: target.tenantId };
  if (!takesUnknownTenant && !(await identity.tenantExists(scope))) throw notFound('tenant');
  return { ...scope, sessionId: null };
}

/** Derives how far a list looks: a dashboard's key that names no tenant sees its whole agency. */
export async function reachOf(identity: Identity, who: Identified, target: NamedTarget): Promise<Reach> {
  const isBound = who.kind === 'session' || (who.kind === 'dashboard' && who.bounds !== undefined);
  if (isBound || target.tenantId !== undefined) return tenantOf(identity, who, target, false);
  return { agencyId: await agencyOf(identity, who, target), tenantId: null, sessionId: null };
}

/** A link is of one tenant, and what another tenant has is answered as what nobody has. */
function tenantOfLink(agencyId: string, tenantId: string, target: NamedTarget): Scope {
  if (isOther(target.tenantId, tenantId)) throw notFound('tenant');
  return { agencyId, tenantId, sessionId: null };
}

async function impliedAgency(identity: Identity, target: NamedTarget): Promise<string> {
  const owners = await identity.ownersOf(null, target.objects);
  const [first, second] = new Set(owners.map(({ agencyId }) => agencyId));
  if (first === undefined) throw nothingNamed(target, 'agencyId');
  if (second !== undefined) throw contradicting(target);
  return first;
}

/** The tenant may be left out where the request names an object of one, or where the agency has one only. */
async function impliedTenant(identity: Identity, agencyId: string, target: NamedTarget): Promise<Scope> {
  const owners = await identity.ownersOf(agencyId, target.objects);
  const [first, second] = new Set(owners.flatMap((owner) => owner.tenantId ?? []));
  // An object of another tenant gets the same response as a missing one.
  if (second !== undefined) throw contradicting(target);
  const tenantId = first ?? (await identity.onlyTenant(agencyId));
  if (tenantId === undefined) throw nothingNamed(target, 'tenantId');
  return { agencyId, tenantId, sessionId: null };
}

/** Says that the object does not exist where one is named: what another agency has is answered as what nobody has. */
function nothingNamed(target: NamedTarget, name: 'agencyId' | 'tenantId'): EngineError {
  return target.objects.length === 0 ? missingTarget(target, name) : contradicting(target);
}

function contradicting({ objects }: NamedTarget): EngineError {
  const [{ kind, pointer } = { kind: 'tenant', pointer: undefined }] = objects.toReversed();
  return notFound(kind, pointer);
}

function isOther(named: string | undefined, own: string): boolean {
  return named !== undefined && named !== own;
}
