import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MediaKind } from '../../../domain/sending/content.ts';
import { cleanFileName, nameOf, shownName } from '../../../domain/sending/file-name.ts';
import {
  checkMedia,
  mayBeShown,
  mediaLimit,
  receivedType,
  repairedType,
  servedType,
} from '../../../domain/sending/media.ts';

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

  const OOXML = 'application/vnd.openxmlformats-officedocument';
  const ODF = 'application/vnd.oasis.opendocument';
  const OLE = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1');
  const UTF16 = Buffer.concat([bytes('\xff\xfe'), Buffer.from('Größe;Preis\n', 'utf16le')]);
  const called = (fileName: string, file: Buffer, byServer: string | null, byTenant: string | null = null) => {
    const checked = checkMedia('document', file, { byTenant, byServer, fileName });
    return 'mimeType' in checked ? checked.mimeType : 'refused';
  };
  const OFFICE: readonly (readonly [string, Buffer, string])[] = [
    ['Angebot.docx', ZIP, DOCX],
    ['a.XLSX', ZIP, `${OOXML}.spreadsheetml.sheet`],
    ['a.pptx ', ZIP, `${OOXML}.presentationml.presentation`],
    ['a.odt', ZIP, `${ODF}.text`],
    ['a.ods', ZIP, `${ODF}.spreadsheet`],
    ['a.odp', ZIP, `${ODF}.presentation`],
    ['locked.docx', OLE, DOCX],
    ['b.doc', OLE, 'application/msword'],
    ['b.xls', OLE, 'application/vnd.ms-excel'],
    ['export.xls', bytes('a\tb\n'), 'application/vnd.ms-excel'],
    ['b.ppt', OLE, 'application/vnd.ms-powerpoint'],
    ['a.rtf', bytes('{\\rtf1 }'), 'application/rtf'],
    ['a.csv', bytes('a;b\n'), 'text/csv'],
    ['a.csv', bytes('Gr\xf6\xdfe;b\n'), 'text/csv'],
    ['a.csv', UTF16, 'text/csv'],
    ['a.txt', bytes('words'), 'text/plain'],
    ['a.ics', bytes('BEGIN:VCALENDAR'), 'text/calendar'],
  ];
  it.each(OFFICE)('called %s goes out and is kept as what its name says, if nobody says more', (name, file, type) => {
    const nothing = [
      'application/octet-stream',
      'binary/octet-stream',
      'application/force-download',
      'text/plain',
      null,
    ];
    for (const served of nothing) expect(called(name, file, served)).toBe(type);
    expect(called(name, file, 'application/octet-stream', 'application/octet-stream')).toBe(type);
    expect(called(name, file, type)).toBe(type);
    expect(called('a', file, type)).toBe(type);
    for (const claimed of ['application/octet-stream', null])
      expect(receivedType('document', file, claimed, name)).toBe(type);
    expect(['zip', 'x-ole-storage', 'octet-stream'].map((kept) => repairedType(`application/${kept}`, name))).toContain(
      type,
    );
    expect(repairedType(type, name)).toBeNull();
  });

  /** The first entries of an archive, none of them packed. */
  const archive = (...entries: (readonly [string, string])[]): Buffer =>
    Buffer.concat(
      entries.map(([name, content]) => {
        const head = Buffer.alloc(30);
        head.writeUInt32LE(0x04034b50, 0);
        head.writeUInt32LE(content.length, 18);
        head.writeUInt16LE(name.length, 26);
        return Buffer.concat([head, bytes(name), bytes(content)]);
      }),
    );
  const TYPES_PART = ['[Content_Types].xml', '<Types/>'] as const;
  it.each([
    [archive(TYPES_PART, ['word/document.xml', 'x']), DOCX],
    [archive(TYPES_PART, ['_rels/.rels', 'x'], ['xl/workbook.xml', 'x']), `${OOXML}.spreadsheetml.sheet`],
    [archive(TYPES_PART, ['ppt/presentation.xml', 'x']), `${OOXML}.presentationml.presentation`],
    [archive(['mimetype', `${ODF}.text`], ['content.xml', 'x']), `${ODF}.text`],
    [archive(['mimetype', 'application/epub+zip']), 'application/epub+zip'],
    [archive(['word/document.xml', 'x']), 'application/zip'],
    [archive(['offer.docx', 'PK'], ['word/', '']), 'application/zip'],
    [archive(TYPES_PART, ['word/document.xml', 'x'], ['word/vbaProject.bin', 'x']), 'application/zip'],
    [archive(['mimetype', 'text/html']), 'application/zip'],
  ])('that is an office document is seen as one also without a name', (file, type) => {
    expect(called('x', file, 'application/octet-stream')).toBe(type);
    expect(called('x.doc', file, 'application/msword')).toBe(type === 'application/zip' ? 'application/msword' : type);
    expect(receivedType('document', file, null)).toBe(type);
  });

  it.each([
    ['a.heic', bytes('\0\0\0\x18ftypheic'), 'image/heic'],
    ['a.heic', bytes('\0\0\0\x18ftypmif1\0\0\0\0heic'), 'image/heic'],
    ['a.webp', bytes('RIFF\0\0\0\0WEBPVP8X'), 'image/webp'],
    ['a.opus', bytes('OggS\0\x02\0\0OpusHead'), 'audio/ogg'],
    ['a.amr', bytes('#!AMR-WB\n'), 'audio/amr'],
    ['a.3gp', bytes('\0\0\0\x18ftyp3gp4'), 'video/3gpp'],
    ['a.m4a', M4A, 'audio/mp4'],
    ['a.m4a', MP4, 'audio/mp4'],
    ['a.docx', JPEG, 'image/jpeg'],
    ['a.docx', bytes('words'), 'application/octet-stream'],
    ['a.doc', PDF, 'application/pdf'],
    ['a.pdf', bytes('words'), 'application/octet-stream'],
    ['a', PDF, 'application/pdf'],
    ['a.csv.zip', ZIP, 'application/zip'],
    ['a.unknown', bytes('words'), 'application/octet-stream'],
  ])('sent as a document with the name %s is what its bytes show first', (name, file, type) => {
    for (const served of ['application/octet-stream', null]) expect(called(name, file, served)).toBe(type);
    // A server that lies about bytes which show their type is not believed.
    if (!type.endsWith('octet-stream'))
      expect(called(name, file, 'text/csv')).toBe(type === 'application/zip' ? 'text/csv' : type);
  });

  it('never becomes a program by its name, its server or its repair', () => {
    for (const ending of ['exe', 'js', 'html', 'svg', 'apk', 'jar', 'hta', 'sh', 'bat']) {
      expect(called(`a.${ending}`, ZIP, null)).toBe('refused');
      expect(receivedType('document', ZIP, null, `a.docx.${ending}`)).toBe('application/zip');
      expect(receivedType('document', bytes('words'), null, `a.${ending}`)).toBe('application/octet-stream');
      expect(repairedType('application/zip', `a.docx.${ending}`)).toBeNull();
    }
    const page = Buffer.concat([bytes('\xff\xfe'), Buffer.from('<html><script>', 'utf16le')]);
    expect(called('a.csv', page, null)).toBe('refused');
    expect(receivedType('document', page, null, 'a.csv')).toBe('application/octet-stream');
  });

  it('sent as audio may be a recording of an older phone', () => {
    expect(check('audio', bytes('\0\0\0\x18ftyp3gp4'))).toBe('audio/3gpp');
    expect(check('audio', bytes('#!AMR\n'))).toBe('audio/amr');
    expect(check('image', bytes('\0\0\0\x18ftypheic'))).toBe('refused');
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
    // A file without its type's signature is not of that type.
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
    ['document', 'application/pdf', null, 'document.pdf'],
    ['document', 'text/csv', null, 'document.csv'],
    ['audio', 'audio/mpeg', null, 'audio.mp3'],
    ['document', DOCX, null, 'document.docx'],
    ['document', 'image/heic', null, 'document.heic'],
    ['document', 'application/octet-stream', null, 'document'],
    ['document', 'application/pdf', 'invoice 4711', 'invoice 4711.pdf'],
    ['document', 'application/pdf', 'Offer 1.2', 'Offer 1.2.pdf'],
    ['document', 'application/pdf', 'offer.final', 'offer.final.pdf'],
    ['document', 'application/pdf', 'offer.PDF', 'offer.PDF'],
    ['document', 'image/jpeg', 'a.jpeg', 'a.jpeg'],
    ['document', 'text/plain', 'main.cpp', 'main.cpp'],
    ['document', 'text/plain', 'README', 'README.txt'],
    ['document', 'application/octet-stream', 'data.parquet', 'data.parquet'],
    ['document', 'application/octet-stream', 'data', 'data'],
  ])('of a %s of the type %s that is called %j has an ending that opens', (kind, type, name, shown) => {
    expect(shownName(kind, type, name)).toBe(shown);
  });

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
