/** A picture of one transparent pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Makes the bytes of a file that was given without any; types that can carry text say that it is a placeholder. */
export function placeholder(mimetype: string): Buffer {
  if (mimetype.startsWith('image/')) return Buffer.from(PNG, 'base64');
  const says = `Placeholder of the sandbox for a file of type ${mimetype}.\n`;
  return Buffer.from(mimetype.startsWith('application/pdf') ? `%PDF-1.4\n% ${says}%%EOF\n` : says);
}
