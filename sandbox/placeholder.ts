/** One transparent pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** What stands for a file whose bytes nobody gave; it says so wherever the type can carry text. */
export function placeholder(mimetype: string): Buffer {
  if (mimetype.startsWith('image/')) return Buffer.from(PNG, 'base64');
  const says = `Placeholder of the sandbox for a file of type ${mimetype}.\n`;
  return Buffer.from(mimetype.startsWith('application/pdf') ? `%PDF-1.4\n% ${says}%%EOF\n` : says);
}
