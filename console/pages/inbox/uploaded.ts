import type { Attachment } from '../../../sdk/typescript/src/index.ts';
import { engine } from '../../shell/engine.ts';
import type { File, Picked } from './draft.ts';

interface Upload {
  kind: File['kind'];
  at: number;
  attachment: Promise<Attachment>;
}

/** The engine keeps a file that no message names for twice as long. */
const KNOWN_MS = 12 * 3_600_000;
const known = new WeakMap<Picked, Upload>();

/**
 * Uploads a file of the device, once: who presses again after an answer that did not come names the same file, so that it
 * is the same request.
 */
export const uploaded = (picked: Picked, { kind }: { kind: File['kind'] }): Promise<Attachment> => {
  const before = known.get(picked);
  if (before?.kind === kind && Date.now() - before.at < KNOWN_MS) return before.attachment;
  const attachment = engine.value.files.attach(picked, { kind });
  known.set(picked, { kind, at: Date.now(), attachment });
  // What did not arrive is uploaded again at the next press.
  attachment.catch(() => known.delete(picked));
  return attachment;
};
