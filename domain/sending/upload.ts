import { z } from 'zod';
import { UploadRef } from '../ids.ts';

/** An upload that no message names is deleted after this time. */
export const UPLOAD_KEPT_HOURS = 24;
const MAX_FILE_NAME_LENGTH = 255;

export const UploadId = z
  .string()
  .min(1)
  .max(2_048)
  .meta({
    description:
      `The id of a file that was uploaded for the same tenant in the last ${UPLOAD_KEPT_HOURS} hours. It is already ` +
      'stored, so nothing is fetched when the message goes out.',
  });

export const UploadName = z
  .string()
  .max(MAX_FILE_NAME_LENGTH)
  .meta({
    description: 'The name that the contact sees, with its extension.',
    examples: ['offer.pdf'],
  });

export const UploadedFile = z
  .object({
    fileId: UploadId.meta({
      description: 'The id to send as `fileId` of an attachment, in any number of messages of the tenant.',
    }),
    id: UploadRef.meta({ description: 'Names the upload in the list of uploads, and to end it.' }),
    mimeType: z
      .string()
      .meta({ description: 'The type that the bytes show; if they show none, the type that the request gave.' }),
    fileName: z.string().nullable().meta({ description: 'The name, in a form that is safe on every system.' }),
    sizeBytes: z.int().min(1).meta({ description: 'Its size.' }),
    sha256: z.string().meta({ description: 'The digest of its bytes, in hexadecimal digits.' }),
    expiresAt: z.iso.datetime().meta({
      description:
        'Messages may use the file until then; uploading it again extends this. A file that a message uses is ' +
        'kept as long as files of messages are.',
    }),
  })
  .meta({ id: 'UploadedFile', description: 'An uploaded file, ready for the messages that send it.' });
export type UploadedFile = z.infer<typeof UploadedFile>;

export const UploadView = z
  .object({
    id: UploadRef,
    madeBy: z.string().meta({ description: 'The id of the key or link that uploaded it, or `master`.' }),
    loginId: z.string().nullable().meta({
      description: 'The id of the console login that uploaded it, with which it ends. Null if no login did.',
    }),
    mimeType: z.string().meta({ description: 'Its type.' }),
    sizeBytes: z.int().meta({ description: 'Its size.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was first uploaded.' }),
    expiresAt: z.iso.datetime().meta({ description: 'Until when messages may use it.' }),
  })
  .meta({ id: 'Upload', description: 'An uploaded file that messages may use.' });
