/**
 * A host with one of these endings counts as a link even without a scheme or a path. The lists hold all countries and
 * the common other endings.
 */
const COUNTRIES =
  'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw';
const OTHERS =
  'academy agency app art asia audio bank bar bargains beauty best bet bid bike biz blog boutique build business buzz cafe camp capital cards care casa cash casino cat center chat cheap church city claims click cloud club codes coffee com community company computer consulting contact cool coop courses credit crypto date deals delivery design dev diet digital direct directory discount domains download earth edu education email energy events exchange expert express family fans farm finance financial fit fitness fun fund fyi gallery game games gifts global gold golf gov group guide guru health help holdings host hosting house icu immo inc info ink insure int international investments jobs kim land law legal life limited link live loan loans love ltd market marketing media men mil mobi mom money monster mov movie museum name net network news ninja one online onion org page partners parts party pay photo photography photos pics pictures pizza plus poker porn press pro promo properties pub quest racing realty recipes rent rentals repair report rest restaurant review reviews rip rocks run sale school science security services sex shop shopping show site skin social software solar solutions space store stream studio style support surf systems tax taxi team tech technology tel tickets tips today tokyo tools top tours town toys trade trading training travel university vacations vegas ventures video vip voyage watch webcam website wiki win wine work works world wtf xxx xyz yoga zip zone';
const OTHER_SCRIPTS =
  'рф рус укр бел срб мон қаз бг ею москва онлайн сайт орг ком дети 中国 中國 公司 网络 網絡 在线 中文网 香港 台湾 台灣 新加坡 网址 网站 商城 商店 集团 游戏 娱乐 企业 移动 手机 みんな コム ストア 한국 닷컴 닷넷 भारत कॉम संगठन ไทย คอม امارات السعودية مصر ایران قطر المغرب عمان تونس شبكة موقع كوم ישראל קום ελ';
const HOST_ENDINGS: ReadonlySet<string> = new Set(`${COUNTRIES} ${OTHERS} ${OTHER_SCRIPTS}`.split(' '));

/** Matches the characters that browsers read as the dot of a host. */
const DOT = String.raw`[.\u2024\u3002\uFE52\uFF0E\uFF61]`;
export const DOTS = new RegExp(`${DOT}(?!$)`, 'g');
const LETTER = String.raw`[\p{L}\p{M}\p{N}\u2460-\u24FF]`;
const LABEL = `${LETTER}(?:[${LETTER.slice(1, -1)}_-]{0,100}${LETTER})?`;
const REST = String.raw`(?::\d+)?(?:[/\\?#]\S*)?`;

const WITH_SCHEME = String.raw`(?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]*:[/\\]{2,}|https?:|(?:javascript|vbscript|blob|intent|file):(?=\S)|data:(?=[a-z]+/))\S+`;
const HOST = String.raw`(?:${LABEL}${DOT}){1,10}(?:xn--[a-z0-9-]{1,60}|[\p{L}\p{M}\u24B6-\u24E9]{2,60})(?!${LETTER})${DOT}?${REST}`;
const ADDRESS = String.raw`(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)${REST}`;
/**
 * Matches hosts without a scheme, and mail addresses, too, because a mail address with a path after the host is a link.
 */
const BARE = String.raw`(?<!${LETTER})(?:[/\\]{2})?(?:[^\s@/<>()]{1,64}@)?(?:${HOST}|${ADDRESS})`;

export const LINK_CANDIDATE = new RegExp(`${WITH_SCHEME}|${BARE}`, 'giu');

/** Tells whether a label ends a host: `evil.example` and `boats.So come` look alike, so the ending decides. */
export function isHostEnding(label: string): boolean {
  const plain = label.normalize('NFKC').toLowerCase();
  return plain.startsWith('xn--') || HOST_ENDINGS.has(plain);
}

/**
 * Finds words of another script right behind a host, since a chat may show `evil.com` as a link in `evil.com谢谢`.
 * Returns how many characters of the label are not the host's, or 0.
 */
export function lengthBehindEnding(label: string): number {
  const [latin = ''] = /^[a-z]+(?=[^\p{Script=Latin}])/iu.exec(label) ?? [];
  return HOST_ENDINGS.has(latin.toLowerCase()) ? label.length - latin.length : 0;
}

/** These endings belong to files and not to hosts. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  'pdf doc docx odt rtf txt csv xls xlsx ods ppt pptx odp jpg jpeg png gif webp heic svg bmp tif tiff mp3 wav ogg opus m4a mp4 avi mkv webm json xml yaml yml html htm css js ts jsx tsx php sql log ini apk exe dmg iso rar tar gz epub ics vcf'.split(
    ' ',
  ),
);

/**
 * Tells whether a host may be one although its ending is in no list, because new endings come each month. The ending
 * must be Latin letters and no ending of files; text with only digits before it is an amount or a date.
 */
export function mayBeHost(host: string, ending: string): boolean {
  const plain = ending.normalize('NFKC').toLowerCase();
  return /^[a-z]{2,}$/.test(plain) && !FILE_ENDINGS.has(plain) && /\p{L}.*\./u.test(host);
}
