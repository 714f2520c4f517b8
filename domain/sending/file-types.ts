/** The form of its bytes that a type needs. Bytes show a `signed` type by themselves. */
type Packing = 'zip' | 'ole' | 'office' | 'text' | 'signed';

interface FileType {
  type: string;
  /** The first ending is the one that a file without an ending gets. */
  endings: readonly [string, ...string[]];
  packing: Packing;
}

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
const MACRO = 'macroenabled.12';

/**
 * The types that names tell, and the endings that types get. No program stands here: a name must never turn a file into
 * something that runs.
 */
const FILE_TYPES: readonly FileType[] = [
  // An encrypted document of a newer form is packed like those of the older forms.
  { type: `${OOXML}.wordprocessingml.document`, endings: ['docx'], packing: 'office' },
  { type: `${OOXML}.wordprocessingml.template`, endings: ['dotx'], packing: 'office' },
  { type: `${OOXML}.spreadsheetml.sheet`, endings: ['xlsx'], packing: 'office' },
  { type: `${OOXML}.spreadsheetml.template`, endings: ['xltx'], packing: 'office' },
  { type: `${OOXML}.presentationml.presentation`, endings: ['pptx'], packing: 'office' },
  { type: `${OOXML}.presentationml.slideshow`, endings: ['ppsx'], packing: 'office' },
  { type: `${OOXML}.presentationml.template`, endings: ['potx'], packing: 'office' },
  { type: `application/vnd.ms-word.document.${MACRO}`, endings: ['docm'], packing: 'office' },
  { type: `application/vnd.ms-excel.sheet.${MACRO}`, endings: ['xlsm'], packing: 'office' },
  { type: `application/vnd.ms-excel.sheet.binary.${MACRO}`, endings: ['xlsb'], packing: 'office' },
  { type: `application/vnd.ms-powerpoint.presentation.${MACRO}`, endings: ['pptm'], packing: 'office' },
  { type: 'application/vnd.ms-visio.drawing.main+xml', endings: ['vsdx'], packing: 'office' },
  { type: `${ODF}.text`, endings: ['odt'], packing: 'zip' },
  { type: `${ODF}.text-template`, endings: ['ott'], packing: 'zip' },
  { type: `${ODF}.spreadsheet`, endings: ['ods'], packing: 'zip' },
  { type: `${ODF}.presentation`, endings: ['odp'], packing: 'zip' },
  { type: `${ODF}.graphics`, endings: ['odg'], packing: 'zip' },
  { type: 'application/epub+zip', endings: ['epub'], packing: 'zip' },
  { type: 'application/vnd.apple.pages', endings: ['pages'], packing: 'zip' },
  { type: 'application/vnd.apple.numbers', endings: ['numbers'], packing: 'zip' },
  { type: 'application/vnd.apple.keynote', endings: ['key'], packing: 'zip' },
  { type: 'application/vnd.google-earth.kmz', endings: ['kmz'], packing: 'zip' },
  { type: 'application/msword', endings: ['doc', 'dot'], packing: 'ole' },
  // Many programs export text under this ending, and Excel opens it.
  { type: 'application/vnd.ms-excel', endings: ['xls', 'xlt'], packing: 'ole' },
  { type: 'application/vnd.ms-powerpoint', endings: ['ppt', 'pps'], packing: 'ole' },
  { type: 'application/vnd.ms-outlook', endings: ['msg'], packing: 'ole' },
  { type: 'application/vnd.visio', endings: ['vsd'], packing: 'ole' },
  { type: 'application/vnd.ms-project', endings: ['mpp'], packing: 'ole' },
  { type: 'application/rtf', endings: ['rtf'], packing: 'text' },
  { type: 'text/csv', endings: ['csv'], packing: 'text' },
  { type: 'text/tab-separated-values', endings: ['tsv', 'tab'], packing: 'text' },
  { type: 'text/plain', endings: ['txt', 'log', 'text'], packing: 'text' },
  { type: 'text/markdown', endings: ['md'], packing: 'text' },
  { type: 'text/calendar', endings: ['ics'], packing: 'text' },
  { type: 'text/vcard', endings: ['vcf'], packing: 'text' },
  { type: 'message/rfc822', endings: ['eml'], packing: 'text' },
  { type: 'application/json', endings: ['json'], packing: 'text' },
  { type: 'application/geo+json', endings: ['geojson'], packing: 'text' },
  { type: 'application/gpx+xml', endings: ['gpx'], packing: 'text' },
  { type: 'application/vnd.google-earth.kml+xml', endings: ['kml'], packing: 'text' },
  // Their bytes show these types, so a name adds nothing.
  { type: 'application/pdf', endings: ['pdf'], packing: 'signed' },
  { type: 'application/zip', endings: ['zip'], packing: 'signed' },
  { type: 'application/x-7z-compressed', endings: ['7z'], packing: 'signed' },
  { type: 'application/vnd.rar', endings: ['rar'], packing: 'signed' },
  { type: 'application/gzip', endings: ['gz', 'tgz'], packing: 'signed' },
  { type: 'image/jpeg', endings: ['jpg', 'jpeg', 'jpe', 'jfif'], packing: 'signed' },
  { type: 'image/png', endings: ['png'], packing: 'signed' },
  { type: 'image/webp', endings: ['webp'], packing: 'signed' },
  { type: 'image/gif', endings: ['gif'], packing: 'signed' },
  { type: 'image/heic', endings: ['heic', 'heif'], packing: 'signed' },
  { type: 'image/avif', endings: ['avif'], packing: 'signed' },
  { type: 'image/tiff', endings: ['tif', 'tiff'], packing: 'signed' },
  { type: 'audio/ogg', endings: ['ogg', 'oga', 'opus'], packing: 'signed' },
  { type: 'audio/mpeg', endings: ['mp3'], packing: 'signed' },
  { type: 'audio/mp4', endings: ['m4a', 'm4b'], packing: 'signed' },
  { type: 'audio/aac', endings: ['aac'], packing: 'signed' },
  { type: 'audio/amr', endings: ['amr', 'awb'], packing: 'signed' },
  { type: 'audio/wav', endings: ['wav'], packing: 'signed' },
  { type: 'audio/flac', endings: ['flac'], packing: 'signed' },
  { type: 'audio/3gpp', endings: ['3gp'], packing: 'signed' },
  { type: 'video/mp4', endings: ['mp4', 'm4v'], packing: 'signed' },
  { type: 'video/3gpp', endings: ['3gp', '3gpp', '3g2'], packing: 'signed' },
  { type: 'video/quicktime', endings: ['mov', 'qt'], packing: 'signed' },
  { type: 'video/webm', endings: ['webm'], packing: 'signed' },
];

const BY_TYPE = new Map(FILE_TYPES.map((row) => [row.type, row]));
const BY_ENDING = new Map(
  FILE_TYPES.toReversed().flatMap((row) => row.endings.map((ending) => [ending, row] as const)),
);

/** The packings that bytes can show for each of the others; null where they show nothing. */
const SHOWN_AS: Readonly<Record<Packing, readonly (string | null)[]>> = {
  zip: ['application/zip'],
  ole: ['application/x-ole-storage', null],
  office: ['application/zip', 'application/x-ole-storage'],
  text: [null],
  signed: [],
};

/** Tells the type that a name gives to a file whose bytes show no more than `shown`; null when it gives none. */
export function typeOfName(name: string, shown: string | null): string | null {
  const row = BY_ENDING.get(endingOf(name));
  return row !== undefined && SHOWN_AS[row.packing].includes(shown) ? row.type : null;
}

/** Returns the ending of files of this type, without its dot. */
export function endingOfType(mimeType: string | null): string | null {
  return BY_TYPE.get(mimeType ?? '')?.endings[0] ?? null;
}

/** Names a file so that it opens where it is saved: its ending is added where it has none that anybody knows. */
export function withEnding(name: string, mimeType: string | null): string {
  const row = BY_TYPE.get(mimeType ?? '');
  const ending = endingOf(name);
  if (row === undefined || BY_ENDING.has(ending)) return name;
  // The endings of texts are many, and most are unknown here.
  return ending !== '' && row.packing === 'text' ? name : `${name}.${row.endings[0]}`;
}

/** A number behind a dot, as in "Offer 1.2", is no ending. */
function endingOf(name: string): string {
  return /\.(?=[a-z0-9]{0,7}[a-z])([a-z0-9]{1,8})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? '';
}
