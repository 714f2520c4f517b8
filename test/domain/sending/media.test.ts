import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MediaKind } from '../../../domain/sending/content.ts';
import { cleanFileName, nameOf } from '../../../domain/sending/file-name.ts';
import { checkMedia, mayBeShown, mediaLimit, receivedType, servedType } from '../../../domain/sending/media.ts';

const MIB = 1_048_576;
const bytes = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
const JPEG = bytes('\xff\xd8\xff\xe0\0\x10JFIF');
const PNG = bytes('\x89PNG\r\n\x1a\n');
const OGG = bytes('OggS\0\x02');
const MP4 = bytes('\0\0\0\x18ftypisom\0\0\0\0');
const M4A = bytes('\0\0\0\x18ftypM4A \0\0\0\0');
const PDF = bytes('%PDF-1.7\n');
const ZIP = bytes('PK\x03\x04\x14\0');
const PAGE = bytes('\n<!-- a --><!DOCTYPE HTML><title>Sign in</title>');
const PROGRAM = bytes(`MZ${'\0'.repeat(58)}\x40\0\0\0PE\0\0`);
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function check(kind: string, file: Buffer, byTenant: string | null = null, byServer: string | null = null) {
  const checked = checkMedia(MediaKind.parse(kind), file, { byTenant, byServer });
  return 'mimeType' in checked ? checked.mimeType : 'refused';
}

describe('a file', () => {
  it.each([
    ['image', JPEG, 'image/jpeg'],
    ['image', PNG, 'image/png'],
    ['audio', OGG, 'audio/ogg'],
    ['audio', M4A, 'audio/mp4'],
    ['audio', MP4, 'audio/mp4'],
    ['audio', bytes('RIFF\0\0\0\0WAVE'), 'audio/wav'],
    ['audio', bytes('ID3\x04'), 'audio/mpeg'],
    ['video', MP4, 'video/mp4'],
    ['document', PDF, 'application/pdf'],
    ['document', bytes('\n\n%PDF-1.4'), 'application/pdf'],
    ['document', bytes('a,b\n1,2\n'), 'application/octet-stream'],
  ])('sent as %s is what its bytes show', (kind, file, type) => {
    expect(check(kind, file, null, 'application/octet-stream')).toBe(type);
  });

  it('that is not of its kind is refused, whatever it is called', () => {
    expect(check('image', PDF, 'image/png', 'image/png')).toBe('refused');
    expect(check('image', MP4, 'image/png')).toBe('refused');
    expect(check('video', JPEG, 'video/mp4')).toBe('refused');
    expect(check('audio', bytes('text'), 'audio/ogg')).toBe('refused');
    expect(check('image', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')).toBe('refused');
  });

  it('called another type of its kind is taken as what it is', () => {
    expect(check('image', JPEG, 'image/png')).toBe('image/jpeg');
  });

  it('sent as a document keeps the type that only its name can tell', () => {
    expect(check('document', ZIP, DOCX)).toBe(DOCX);
    expect(check('document', ZIP, null, DOCX)).toBe(DOCX);
    expect(check('document', ZIP)).toBe('application/zip');
    expect(check('document', bytes('a,b'), 'text/csv; charset=utf-8')).toBe('text/csv');
    expect(check('document', JPEG, 'image/jpg')).toBe('image/jpeg');
    expect(check('document', bytes('text'), null, 'text/html')).toBe('application/octet-stream');
    expect(check('document', bytes('text'), 'text/plain\r\nx-header: 1')).toBe('application/octet-stream');
  });

  it('sent as a document is refused when it is not what it is called, a program or a web page', () => {
    expect(check('document', JPEG, 'application/pdf')).toBe('refused');
    expect(check('document', bytes('no pdf'), 'application/pdf')).toBe('refused');
    expect(check('document', PROGRAM, 'application/octet-stream')).toBe('refused');
    expect(check('document', bytes('MZ is how this text begins'))).toBe('application/octet-stream');
    expect(check('document', bytes('\x7fELF\x02'))).toBe('refused');
    expect(check('document', PAGE, 'application/pdf')).toBe('refused');
    expect(check('document', bytes('text'), 'text/html')).toBe('refused');
  });

  it('sent as a document is no program and no web page by its type, its name or what is in it', () => {
    const text = bytes('text');
    const types = ['application/xhtml+xml', 'image/svg+xml', 'text/javascript', 'application/x-msdownload'];
    expect(types.map((type) => check('document', text, type))).toEqual(types.map(() => 'refused'));
    const names = ['a.HTML', 'a.svg', 'a.pdf.exe', 'a.scr', 'a.bat', 'a.cmd', 'a.js', 'a.vbs', 'a.apk', 'a.msi '];
    for (const fileName of names) {
      expect(checkMedia('document', text, { byTenant: null, byServer: null, fileName })).toHaveProperty('refused');
    }
    // Cleaning takes these characters out of the name that is stored.
    const hidden = ['a.exe.', 'a.exe. .', 'a.e\u200fxe', 'a.ht\u202eml', 'a.bat\u0001', 'dir/a.exe\u2066.'];
    for (const fileName of hidden) {
      expect(checkMedia('document', text, { byTenant: null, byServer: null, fileName })).toHaveProperty('refused');
    }
    expect(checkMedia('document', text, { byTenant: null, byServer: null, fileName: 'a.js.txt' })).toHaveProperty(
      'mimeType',
    );
    for (const inside of ['x <html>', 'x\n<SCRIPT src=a>', 'x <svg/onload=a>']) {
      expect(check('document', bytes(inside), 'text/plain')).toBe('refused');
    }
  });

  it.each(['text/jscript', 'text/livescript', 'text/javascript1.5', 'text/css', 'text/xml', 'x/y', 'text/html', null])(
    'is served as bytes unless its type is known to be harmless: %s',
    (type) => {
      expect(servedType(type)).toBe('application/octet-stream');
    },
  );

  it('is served as what it is where no browser runs it', () => {
    for (const type of ['image/png', 'audio/ogg', 'video/mp4', 'application/pdf', 'text/plain', 'text/csv']) {
      expect(servedType(type)).toBe(type);
    }
  });

  it('that is empty is refused', () => {
    expect(MediaKind.options.map((kind) => check(kind, Buffer.alloc(0)))).toEqual(
      MediaKind.options.map(() => 'refused'),
    );
  });

  it('of many unfinished comments is judged at once', () => {
    expect(check('document', bytes('<!---->'.repeat(1_000)))).toBe('application/octet-stream');
    expect(check('document', bytes('<!--'.repeat(1_000)))).toBe('application/octet-stream');
  });

  it('has the limit of its kind', () => {
    expect(mediaLimit('image', 32 * MIB)).toBe(16 * MIB);
    expect(mediaLimit('audio', 5)).toBe(5);
    expect(mediaLimit('video', 32 * MIB)).toBe(32 * MIB);
  });
});

describe('a file that somebody has sent', () => {
  it.each([
    ['image', JPEG, 'image/png', 'image/jpeg', true],
    ['sticker', bytes('RIFF\0\0\0\0WEBP'), 'image/webp', 'image/webp', true],
    ['audio', OGG, 'audio/ogg; codecs=opus', 'audio/ogg', true],
    ['audio', MP4, 'audio/mp4', 'audio/mp4', true],
    ['document', ZIP, DOCX, DOCX, false],
    ['document', bytes('a,b'), 'text/csv', 'text/csv', false],
    ['document', PDF, null, 'application/pdf', false],
    // A page is no photo, whatever it is called, and no program gets the type of one.
    ['image', PAGE, 'image/jpeg', 'application/octet-stream', false],
    ['image', bytes('<svg onload=a>'), 'image/svg+xml', 'application/octet-stream', false],
    ['document', bytes('text'), 'text/html', 'application/octet-stream', false],
    ['document', ZIP, 'application/java-archive', 'application/zip', false],
    ['document', PROGRAM, 'application/pdf', 'application/octet-stream', false],
    // What begins without its signature is not what it is called.
    ['image', bytes('text'), 'image/jpeg', 'application/octet-stream', false],
    ['image', bytes('text'), null, 'application/octet-stream', false],
    ['image', Buffer.alloc(0), 'not a type', 'application/octet-stream', false],
  ])('as %s is kept as what its bytes show', (kind, file, claimed, type, isShown) => {
    expect(receivedType(kind, file, claimed)).toBe(type);
    expect(mayBeShown(type)).toBe(isShown);
  });

  it('has a name that opens, also when nobody gave it one', () => {
    expect([nameOf('image', 'image/jpeg'), nameOf('document', 'text/x-odd'), nameOf('other', null)]).toEqual([
      'image.jpg',
      'document',
      'other',
    ]);
  });
});

describe('a file name', () => {
  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\Grüße.pdf', 'Grüße.pdf'],
    ['..hidden', 'hidden'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['a"b<c>:d?.pdf', 'a_b_c__d_.pdf'],
    ['line\r\nbreak\0.txt', 'linebreak.txt'],
    ['👨‍👩‍👧 family.jpg', '👨‍👩‍👧 family.jpg'],
    [' . ', null],
    ['dir/', null],
  ])('%j becomes %j', (given, clean) => {
    expect(cleanFileName(given)).toBe(clean);
  });

  it('keeps its extension when it is cut', () => {
    expect(cleanFileName(`${'x'.repeat(500)}.docx`)).toBe(`${'x'.repeat(115)}.docx`);
  });

  it('is clean when it has been cleaned, and never a path or half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        const clean = cleanFileName(given);
        if (clean === null) return;
        expect(clean).not.toMatch(/[/\\\r\n]|^\./);
        expect(clean.isWellFormed() && clean.length <= 120).toBe(true);
      }),
    );
  });
});
