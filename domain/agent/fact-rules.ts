import { MAX_FACT } from './memory.ts';

/**
 * The reasons for which a proposed fact is not kept. A contact's words become facts only through these rules. The agent
 * sees a fact as quoted data, and the rules keep out facts that would still read like an order there.
 */
export const FACT_REFUSALS = {
  length: `It says nothing, or more than ${MAX_FACT} characters.`,
  link: 'It has a link or a host name in it.',
  markup: 'It looks like a part of a prompt or a program: tags, roles, fences, templates, calls, commands, chat ids.',
  encoded: 'It has a long run without words in it, as encoded text has.',
  instruction: 'It tells the agent what to do, or who it is.',
  voice: 'It asks, or somebody speaks of themselves in it: a fact is told of the contact.',
  privilege: 'It says that the contact may do what others may not, or gives a code or a price of ours.',
  number: 'It has a number like that of a card or an account in it.',
  secret: 'It has a password or the like in it.',
} as const;
export type FactRefusal = keyof typeof FACT_REFUSALS;

const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\b(javascript|data|mailto|tel):|(?<![@\w.-])(?:[\p{L}\p{N}-]+\.)+[a-z]{2,24}(?![\w@])/iu;

const MARKUP =
  /<\s*[/|!a-z]|[{}`]|\[\/?[a-z_]+\]|\]\(|#{2,}|\*{3,}|-{3,}|={3,}|(?:^|\s)["']?(?:system|assistant|user|developer|human|tool|function|ai)["']?\s*:/iu;

/** Matches a call, a command, an assignment or an address of the network. */
const COMMAND =
  /\w\(\S*\)|^\s*\/\w|\w=["'\w*]|(?<![\w.@-])[a-z]+(?:_[a-z]+)+(?![\w.-]*@)|@(?:c\.us|g\.us|lid|s\.whatsapp\.net)\b/iu;

/** Matches text that is encoded, such as a run of characters longer than any word of a language. */
const ENCODED =
  /[A-Za-z0-9+/=_%\\-]{40,}|(?:\\[ux][0-9a-f]{2,4}){2}|(?:%[0-9a-f]{2}){3}|(?:\b[01]{8}\b\s*){3}|(?:\b[0-9a-f]{2}\b\s*){8}/iu;

/**
 * Match facts that address somebody or speak of the agent's conduct; a true fact speaks about the contact in the third
 * person.
 */
const INSTRUCTIONS: readonly RegExp[] = [
  // English. The first pattern takes a fact that begins with an imperative for an order, because a true fact does not.
  /^\W*(please\s+)?(add|answer|apply|ask|call|change|confirm|decode|delete|do|dump|find|forward|get|give|grant|let|list|look|make|mark|note|offer|open|post|print|put|read|remember|remove|repeat|reply|return|run|save|say|send|set|show|store|summari[sz]e|tell|translate|treat|update|use|write)\b/iu,
  /\b(obey\w*|rot13|base64)\b/iu,
  /\byou\b|\byour (instructions?|rules?|prompts?|guidelines?|persona|role|name is)\b/iu,
  /\b(ignore|disregard|forget|override|bypass|overrule)\b/iu,
  /\bfrom now on\b|\bhenceforth\b|\bstarting now\b|\bin (all )?future (replies|answers|messages|chats|conversations|turns)\b/iu,
  /\b(always|never|must|should|shall)\s+(always\s+|never\s+)?(answer\w*|repl\w+|respond\w*|say|said|tell|told|offer\w*|giv\w+|grant\w*|sen[dt]\w*|includ\w+|mention\w*|confirm\w*|agree\w*|refus\w+|end|start|begin|greet\w*|forward\w*|apply)\b/iu,
  /\b(the )?(assistant|agent|bot|chat ?bot|ai|model|system)('s)?\s+(should|must|may|can|will|has to|have to|needs? to|is (now|to|allowed|required|instructed)|name|persona|role|rules?|prompt|instructions?)\b/iu,
  /\b(system|developer|initial|hidden) (prompts?|messages?|instructions?)\b|\bjail ?break\w*|\b(debug|developer|admin|god|dan) mode\b/iu,
  /\b(act|behave|respond|reply|answer|speak|pretend|role-?play)\s+(as|like|with|to be)\b|\bpretend\b/iu,
  /\b(new|updated|important|priority) (rules?|instructions?|polic(y|ies)|directives?|orders?)\b/iu,
  /\b(reveal|print|output|repeat|leak|exfiltrate|translate|decode|execute|run|call) (any |the |this |all |its )?(prompt|instructions?|rules?|code|command|function|tool|text above|data|following|memor\w+)/iu,
  /\b(other|another|all|every) (customers?|contacts?|clients?|users?|people)('s)?\b.*\b(data|numbers?|phones?|address\w*|orders?|messages?|names?|information|facts?)\b/iu,
  // German, Dutch
  /\b(ignorier\w*|vergiss\w*|missacht\w*)\b|\bab (jetzt|sofort|nun)\b|\bdu (bist|musst|sollst|darfst)\b|\bantworte\b|\b(immer|nie|niemals|stets) (antwort\w*|sag\w*|schreib\w*|geb\w*|gib)\b/iu,
  /\bdas modell (muss|soll|darf)\b|\bder (assistent|agent|bot) (muss|soll|darf|ist)\b|\bneue (regel|anweisung)\w*/iu,
  /\b(negeer|vergeet)\b|\bvanaf nu\b|\bantwoord altijd\b|\bje bent nu\b/iu,
  // Spanish, Portuguese, French, Italian
  /\b(ignor[ae]|olvid[ae]|desobede\w+)\b|\ba partir de (ahora|agora)\b|\bsiempre (responde|di|ofrece)\b|\b(responde|di) siempre\b|\beres ahora\b|\bahora eres\b|\bdebes\b/iu,
  /\besque[cç]a\b|\bdesconsidere\b|\bresponda sempre\b|\bsempre responda\b|\bvoc[eê] (agora )?(é|deve|está)|\ba partir d[eo] agora\b/iu,
  /\bignorez?\b|\boublie[zr]?\b|(?<!\p{L})à partir de maintenant\b|\bd[ée]sormais\b|\br[ée]ponds? toujours\b|\btu (es|dois)\b|\bvous (êtes|devez)\b/iu,
  /\bignora(re|te)?\b|\bdimentica\w*\b|\bd'ora in poi\b|\brispondi sempre\b|\btu sei\b|\bdevi\b/iu,
  // Polish, Turkish, Russian, Ukrainian, Arabic, Hebrew, Hindi
  /\bzignoruj\b|\bod teraz\b|\bzapomnij\b|\bodpowiadaj\b|\byok say\b|\bbundan sonra\b|şimdiden itibaren|\bher zaman cevap\b/iu,
  /игнориру|забудь|отныне|с этого момента|всегда отвечай|ты теперь|ти тепер|ігнору|віднині|відтепер/iu,
  /تجاهل|من الآن|انس |أنت الآن|אתה עכשיו|התעלם|מעכשיו|अनदेखा|नज़रअंदाज़|अब से|भूल जाओ/u,
  // Chinese, Japanese, Korean, Indonesian, Vietnamese
  /忽略|无视|無視|从现在开始|從現在開始|今から|これから|指示|指令|系统提示|系統提示|你现在是|あなたは|프롬프트|무시|지금부터|이제부터/u,
  /\babaikan\b|\bmulai sekarang\b|\bbỏ qua\b|từ bây giờ/iu,
];

const VOICE = /[?？؟]|\bI\b|\b(?:my|me|mine)\b/u;

const PRIVILEGE: readonly RegExp[] = [
  /\b(discount|coupon|promo\w*|voucher|gift|access|unlock|override|master|rabatt|gutschein|descuento|promotion|réduction|sconto)[\s-]*(code|codes|key|código|codice)\b|\brabattcode\w*|\bgutscheincode\w*/iu,
  /\b(is|are|was|has been|am) (now )?(an? |the )?(verified |real |system )*(admin\w*|developer of|operator|supervisor|root|superuser|tester|staff|moderator)\b/iu,
  /\b(is|was|has been|are|be) (pre-?)?(authori[sz]ed|entitled|permitted|allowed|approved|whitelisted|exempt\w*)\b|\bhas (full |special )?(permission|access|clearance)\b/iu,
  /\b(free of charge|for free|100 ?% (off|discount|rabatt)|gratis|kostenlos|refund (is|was|has been) (approved|granted))\b/iu,
  /\b(our|the company's|the shop's|the store's) (price|prices|policy|policies|bank|account|iban|website|address|number)\b/iu,
  /\b(price|cost|fee|preis)s? (is|are|was|has been|ist) (now )?(0|zero|free|one|1)\b/iu,
];

/**
 * Discounts and prices, in the languages that are written most, for facts that the rules above let pass. A fact that
 * names a discount, or a price with a number, is only a claim of the contact.
 */
const CONCESSION =
  /[%％٪]|\b(percent|per cent|discount\p{L}*|prozent\p{L}*|rabatt\p{L}*|nachlass\p{L}*|skonto|por ?ciento|porcent\p{L}*|descuento\p{L}*|rebaja\p{L}*|desconto\p{L}*|abatimento|remise\p{L}*|rabais|sconto|sconti|korting\p{L}*|procent\p{L}*|rabat\p{L}*|zniżk\p{L}*|sleva|slevu|kedvezmény\p{L}*|reducere\p{L}*|indirim\p{L}*|diskon\p{L}*|potongan|free of charge|gratis|gratuit\p{L}*|kostenlos\p{L}*|umsonst|za darmo|ücretsiz)(?!\p{L})|скидк|знижк|бесплатн|безкоштовн|процент|відсот|έκπτωση|خصم|تخفيض|مجان|הנחה|חינם|छूट|मुफ़्त|ছাড়|ส่วนลด|giảm giá|miễn phí|折扣|打折|优惠|優惠|免费|免費|割引|無料|할인|무료/iu;
const PRICE =
  /\b(price\p{L}*|preis\p{L}*|precio\p{L}*|preço\p{L}*|prix|prezz\p{L}*|prijs\p{L}*|cena|ceny|cenę|fiyat\p{L}*|harga)(?!\p{L})|цен[аыуе]|цін[аиу]|سعر|מחיר|कीमत|ราคา|giá|价格|價格|価格|値段|가격/iu;

/** Tells whether a fact names something that somebody of the business would have to grant. */
export function isConcession(fact: string): boolean {
  const text = fact.normalize('NFKC').replaceAll('İ', 'I');
  return CONCESSION.test(text) || (PRICE.test(text) && /\p{N}/u.test(text));
}

const SECRET = /\b(pass(word|code|wort|phrase)|pin|cvv|cvc|otp|contraseñ\w*|senha|mot de passe|api[ -]?key|token)\b/iu;

/** Returns why a fact is not kept, or null for a fact that may be kept. */
export function refuseFact(fact: string): FactRefusal | null {
  // Characters in other widths and styles are read as the plain characters that they look like.
  const text = fact.normalize('NFKC');
  if (fact === '' || fact.length > MAX_FACT) return 'length';
  if (LINK.test(text)) return 'link';
  if (MARKUP.test(text) || COMMAND.test(text)) return 'markup';
  if (hasAccountNumber(text)) return 'number';
  if (ENCODED.test(text)) return 'encoded';
  if (SECRET.test(text)) return 'secret';
  if (INSTRUCTIONS.some((rule) => rule.test(text))) return 'instruction';
  if (PRIVILEGE.some((rule) => rule.test(text))) return 'privilege';
  return VOICE.test(text) ? 'voice' : null;
}

const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?\b/iu;
const SOCIAL_SECURITY = /\b\d{3}-\d{2}-\d{4}\b/u;

function hasAccountNumber(text: string): boolean {
  if (IBAN.test(text) || SOCIAL_SECURITY.test(text)) return true;
  // Phone numbers have up to 15 digits and card numbers at least 13, so with 13 to 15 digits the check digit decides.
  return [...text.matchAll(/\d(?:[ .-]?\d){12,18}/gu)].some(([run]) => {
    const digits = run.replaceAll(/\D/gu, '');
    return digits.length > 15 || passesLuhn(digits);
  });
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
