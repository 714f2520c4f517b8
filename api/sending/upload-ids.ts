import { z } from 'zod';
import type { SecretBox } from '../../db/engine/secret-box.ts';
import type { TenantScope } from '../../domain/scope.ts';

/** The facts in the id of an uploaded file. */
export interface Upload {
  /** The login, key or master key that uploaded it; a link or null in ids of an earlier release. */
  maker: string | null;
  sha256: string;
  sizeBytes: number;
  mimeType: string;
  fileName: string | null;
}

const PREFIX = 'file_';
const Fields = z.tuple(
  [z.hex(), z.int().min(1), z.string(), z.string().nullable()],
  // Ids of an earlier release have none; they end a day after it.
  z.string(),
);

/**
 * Writes the id of an uploaded file. The id holds what there is to know of the file, so that no row is needed before a
 * message names it. The signature binds it to the tenant, and the id ends with the maker that it names. Each upload of
 * a file by one maker has the same id. A client that uploads the file again can therefore repeat the same request.
 */
export function uploadIdOf(secrets: SecretBox, scope: TenantScope, upload: Upload): string {
  const { sha256, sizeBytes, mimeType, fileName, maker } = upload;
  const fields: z.input<typeof Fields> = [sha256, sizeBytes, mimeType, fileName, ...(maker === null ? [] : [maker])];
  const text = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${PREFIX}${text}.${secrets.digest(signed(scope, text)).toString('base64url')}`;
}

/** Reads an id of the tenant; null when it is none. */
export function readUploadId(secrets: SecretBox, scope: TenantScope, id: string): Upload | null {
  const [text = '', signature = ''] = id.startsWith(PREFIX) ? id.slice(PREFIX.length).split('.') : [];
  if (!secrets.isDigest(Buffer.from(signature, 'base64url'), signed(scope, text))) return null;
  const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  const [sha256, sizeBytes, mimeType, fileName, maker = null] = Fields.parse(fields);
  return { sha256, sizeBytes, mimeType, fileName, maker };
}

function signed({ agencyId, tenantId }: TenantScope, text: string): string {
  return `upload:${agencyId}/${tenantId}:${text}`;
}
