/**
 * Single words that ask for no more messages, in the languages of most users of the network. Words with a second
 * meaning, such as "cancel", are left to the tenant.
 */
export const STOP_WORDS = [
  ['stop', 'stop all', 'unsubscribe', 'opt out', 'optout'],
  ['stopp', 'abmelden', 'abbestellen', 'keine nachrichten mehr'],
  ['baja', 'darme de baja', 'no más mensajes'],
  ['parar', 'sair', 'descadastrar', 'cancelar inscrição'],
  ['arret', 'arrêt', 'désabonner', 'me désabonner'],
  ['disiscrivimi', 'cancella iscrizione'],
  ['afmelden', 'uitschrijven'],
  ['wypisz', 'rezygnuję'],
  ['dur', 'abonelikten çık'],
  ['стоп', 'отписаться', 'відписатися'],
  ['إيقاف', 'إلغاء الاشتراك', 'הסר', 'הסירו אותי'],
  ['berhenti', 'बंद करें', '退订', '停止', '配信停止', '수신거부'],
].flat();

/** Single words that ask for messages again. */
export const START_WORDS = [
  ['start', 'unstop', 'subscribe', 'opt in', 'optin'],
  ['anmelden', 'alta', 'darme de alta', 'inscrever', 'réabonner', 'me réabonner', 'iscrivimi', 'aanmelden'],
  ['zapisz', 'başla', 'старт', 'подписаться', 'підписатися', 'ابدأ', 'اشتراك', 'הירשם', 'mulai', '订阅'],
].flat();
