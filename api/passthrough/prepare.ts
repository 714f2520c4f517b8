import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { invalid } from '../../domain/error.ts';
import type { GiveBack } from '../../domain/fair-slots.ts';
import { busy } from '../wire/doors.ts';
import { readPassedBody, writtenBody } from './body.ts';
import type { BodySize, PassedBody } from './body.ts';
import type { Bounds } from './bounds.ts';
import { namesAddress, withFiles } from './files.ts';
import type { FetchFile } from './files.ts';
import type { PassthroughMatch } from './match.ts';
import { upstreamHeaders } from './request.ts';
import type { BackendRoute } from './table/row.ts';
import type { UpstreamRequest } from './upstream.ts';
import type { SessionAtBackend } from './session-lookup.ts';

export interface ToPrepare {
  match: PassthroughMatch;
  body: PassedBody;
  session: SessionAtBackend;
  agencyId: string;
  request: Pick<UpstreamRequest, 'method' | 'path'>;
  headers: IncomingHttpHeaders;
  /** Gets what is to be given back when the request has ended. */
  held: GiveBack[];
}

interface Means {
  bounds: Bounds;
  fetchFile: FetchFile;
}

/**
 * Reads the body. A large one takes a place while it comes, and room in memory once it is there. One that goes on as it
 * comes ends with the request: unread bytes would hold up its client.
 */
export async function received(
  bounds: Bounds,
  request: IncomingMessage,
  { route, size, owner, held }: { route: BackendRoute; size: BodySize; owner: string; held: GiveBack[] },
): Promise<PassedBody> {
  const leave = size === 'file' ? await bounds.toFetch(owner) : undefined;
  const room = async (sizeBytes: number): Promise<void> => {
    const giveBack = await bounds.roomFor(owner, sizeBytes);
    if (!giveBack) throw busy();
    held.push(giveBack);
  };
  try {
    const body = await readPassedBody(request, route, { size, room });
    if (body.kind === 'stream') held.push(() => void body.stream.destroy());
    return body;
  } finally {
    leave?.();
  }
}

/**
 * Makes the request to the backend, once it has its place there. A file that the body names by its address is fetched
 * before that, because its server decides how long it takes.
 */
export async function prepared(asked: ToPrepare, means: Means): Promise<UpstreamRequest> {
  const { match, session, agencyId, request, headers, held } = asked;
  const body = await withItsFiles(asked, means);
  held.push(await means.bounds.toBackend(session, agencyId));
  const base = {
    ...request,
    baseUrl: session.baseUrl,
    headers: upstreamHeaders(headers, session.apiKey),
    isUnlisted: match.isUnknown,
  };
  if (body.kind === 'none') return { ...base, body: null };
  const json = { ...base.headers, 'content-type': 'application/json' };
  if (body.kind === 'stream') {
    const { stream, length } = body;
    const sized = length === undefined ? json : { ...json, 'content-length': String(length) };
    return { ...base, headers: sized, body: stream };
  }
  return { ...base, headers: json, body: writtenBody(match.route, body.fields, session.name) };
}

async function withItsFiles(
  { match, body, agencyId, held }: ToPrepare,
  { bounds, fetchFile }: Means,
): Promise<PassedBody> {
  const { files } = match.route;
  if (body.kind !== 'fields' || !namesAddress(body.fields, files)) return body;
  // It would hold the memory of what it brings for as long as the server of what it names likes.
  if (body.isLarge) throw invalid({ pointer: '', message: 'must either contain its file or name its address' });
  const leave = await bounds.toFetch(agencyId);
  const room = async (sizeBytes: number): Promise<boolean> => {
    const giveBack = await bounds.roomFor(agencyId, sizeBytes);
    if (giveBack) held.push(giveBack);
    return giveBack !== null;
  };
  try {
    return { ...body, fields: await withFiles(body.fields, files, (url) => fetchFile(url, room)) };
  } finally {
    leave();
  }
}
