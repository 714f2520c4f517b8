import type { IncomingHttpHeaders } from 'node:http';
import type { GiveBack } from '../../domain/fair-slots.ts';
import { writtenBody } from './body.ts';
import type { PassedBody } from './body.ts';
import type { Bounds } from './bounds.ts';
import { namesAddress, withFiles } from './files.ts';
import type { FetchFile } from './files.ts';
import type { PassthroughMatch } from './match.ts';
import { upstreamHeaders } from './request.ts';
import type { UpstreamRequest } from './upstream.ts';
import type { SessionAtBackend } from './whose.ts';

export interface ToPrepare {
  match: PassthroughMatch;
  body: PassedBody;
  session: SessionAtBackend;
  agencyId: string;
  request: Pick<UpstreamRequest, 'method' | 'path'>;
  headers: IncomingHttpHeaders;
  /** True when the request has a place for a file in memory already; a second one might never come. */
  holdsFile: boolean;
  /** Gets what is to be given back when the request has ended. */
  held: GiveBack[];
}

interface Means {
  bounds: Bounds;
  fetchFile: FetchFile;
}

/** Makes the request to the backend, once it has its place there. */
export async function prepared(
  { match, body, session, agencyId, request, headers, holdsFile, held }: ToPrepare,
  { bounds, fetchFile }: Means,
): Promise<UpstreamRequest> {
  held.push(await bounds.toBackend(session, agencyId));
  const base = { ...request, baseUrl: session.baseUrl, headers: upstreamHeaders(headers, session.apiKey) };
  if (body.kind === 'none') return { ...base, body: null };
  const json = { ...base.headers, 'content-type': 'application/json' };
  if (body.kind === 'stream') {
    const { stream, length } = body;
    const sized = length === undefined ? json : { ...json, 'content-length': String(length) };
    return { ...base, headers: sized, body: stream };
  }
  const { files } = match.route;
  let { fields } = body;
  if (namesAddress(fields, files)) {
    if (!holdsFile) held.push(await bounds.toReadFile(agencyId));
    fields = await withFiles(fields, files, fetchFile);
  }
  return { ...base, headers: json, body: writtenBody(match.route, fields, session.name) };
}
