import type { TextsByLanguage } from '../texts-by-language.ts'

/** Why no passkey was used: on the pages of passkeys, and where they are a second factor. */
export type FailureTextKey =
  | 'cancelledText'
  | 'cancelledNext'
  | 'domainText'
  | 'domainNext'
  | 'unsupportedText'
  | 'unsupportedNext'
  | 'failedText'
  | 'failedNext'

export const failureTexts: TextsByLanguage<FailureTextKey> = {
  en: {
    cancelledText: 'No passkey was used: you canceled, or it took too long.',
    cancelledNext: 'Try again, or use another way.',
    domainText: 'Passkeys do not work at this address.',
    domainNext: 'Open this site at its usual address.',
    unsupportedText: 'This browser cannot use passkeys here.',
    unsupportedNext: 'Use another browser or device, or another way.',
    failedText: 'The passkey could not be used.',
    failedNext: 'Try again, or use another way. Passkeys need JavaScript.'
  },
  de: {
    cancelledText: 'Es wurde kein Passkey verwendet: Sie haben abgebrochen, oder es hat zu lange gedauert.',
    cancelledNext: 'Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
    domainText: 'Unter dieser Adresse funktionieren Passkeys nicht.',
    domainNext: 'Öffnen Sie diese Website unter ihrer gewohnten Adresse.',
    unsupportedText: 'Dieser Browser kann hier keine Passkeys verwenden.',
    unsupportedNext: 'Verwenden Sie einen anderen Browser oder ein anderes Gerät, oder wählen Sie einen anderen Weg.',
    failedText: 'Der Passkey konnte nicht verwendet werden.',
    failedNext: 'Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg. Passkeys setzen JavaScript voraus.'
  },
  'de-informal': {
    cancelledText: 'Es wurde kein Passkey verwendet: Du hast abgebrochen, oder es hat zu lange gedauert.',
    cancelledNext: 'Versuche es noch einmal, oder wähle einen anderen Weg.',
    domainText: 'Unter dieser Adresse funktionieren Passkeys nicht.',
    domainNext: 'Öffne diese Website unter ihrer gewohnten Adresse.',
    unsupportedText: 'Dieser Browser kann hier keine Passkeys verwenden.',
    unsupportedNext: 'Verwende einen anderen Browser oder ein anderes Gerät, oder wähle einen anderen Weg.',
    failedText: 'Der Passkey konnte nicht verwendet werden.',
    failedNext: 'Versuche es noch einmal, oder wähle einen anderen Weg. Passkeys setzen JavaScript voraus.'
  },
  fr: {
    cancelledText: 'Aucune clé d’accès n’a été utilisée : vous avez annulé, ou cela a pris trop de temps.',
    cancelledNext: 'Réessayez, ou utilisez un autre moyen.',
    domainText: 'Les clés d’accès ne fonctionnent pas à cette adresse.',
    domainNext: 'Ouvrez ce site à son adresse habituelle.',
    unsupportedText: 'Ce navigateur ne peut pas utiliser de clés d’accès ici.',
    unsupportedNext: 'Utilisez un autre navigateur ou un autre appareil, ou un autre moyen.',
    failedText: 'La clé d’accès n’a pas pu être utilisée.',
    failedNext: 'Réessayez, ou utilisez un autre moyen. Les clés d’accès nécessitent JavaScript.'
  },
  es: {
    cancelledText: 'No se usó ninguna llave de acceso: cancelaste o se tardó demasiado.',
    cancelledNext: 'Inténtalo de nuevo o usa otra forma.',
    domainText: 'Las llaves de acceso no funcionan en esta dirección.',
    domainNext: 'Abre este sitio en su dirección habitual.',
    unsupportedText: 'Este navegador no puede usar llaves de acceso aquí.',
    unsupportedNext: 'Usa otro navegador u otro dispositivo, u otra forma.',
    failedText: 'No se pudo usar la llave de acceso.',
    failedNext: 'Inténtalo de nuevo o usa otra forma. Las llaves de acceso requieren JavaScript.'
  },
  pt: {
    cancelledText: 'Nenhuma chave de acesso foi usada: a operação foi cancelada ou demorou demasiado tempo.',
    cancelledNext: 'Tente novamente ou use outra forma.',
    domainText: 'As chaves de acesso não funcionam neste endereço.',
    domainNext: 'Abra este site no endereço habitual.',
    unsupportedText: 'Este navegador não consegue usar chaves de acesso aqui.',
    unsupportedNext: 'Use outro navegador ou dispositivo, ou outra forma.',
    failedText: 'Não foi possível usar a chave de acesso.',
    failedNext: 'Tente novamente ou use outra forma. As chaves de acesso exigem JavaScript.'
  },
  it: {
    cancelledText: 'Non è stata usata alcuna passkey: hai annullato o è passato troppo tempo.',
    cancelledNext: 'Riprova oppure usa un altro modo.',
    domainText: 'Le passkey non funzionano a questo indirizzo.',
    domainNext: 'Apri questo sito al suo indirizzo abituale.',
    unsupportedText: 'Questo browser non può usare passkey qui.',
    unsupportedNext: 'Usa un altro browser o dispositivo oppure un altro modo.',
    failedText: 'Non è stato possibile usare la passkey.',
    failedNext: 'Riprova oppure usa un altro modo. Le passkey richiedono JavaScript.'
  },
  nl: {
    cancelledText: 'Er is geen passkey gebruikt: u hebt geannuleerd, of het duurde te lang.',
    cancelledNext: 'Probeer het opnieuw, of gebruik een andere manier.',
    domainText: 'Passkeys werken niet op dit adres.',
    domainNext: 'Open deze site op het gebruikelijke adres.',
    unsupportedText: 'Deze browser kan hier geen passkeys gebruiken.',
    unsupportedNext: 'Gebruik een andere browser of een ander apparaat, of een andere manier.',
    failedText: 'De passkey kon niet worden gebruikt.',
    failedNext: 'Probeer het opnieuw, of gebruik een andere manier. Voor passkeys is JavaScript nodig.'
  },
  pl: {
    cancelledText: 'Nie użyto klucza dostępu: anulowano albo trwało to zbyt długo.',
    cancelledNext: 'Spróbuj ponownie albo użyj innego sposobu.',
    domainText: 'Klucze dostępu nie działają pod tym adresem.',
    domainNext: 'Otwórz tę stronę pod jej zwykłym adresem.',
    unsupportedText: 'Ta przeglądarka nie może tu używać kluczy dostępu.',
    unsupportedNext: 'Użyj innej przeglądarki lub innego urządzenia albo innego sposobu.',
    failedText: 'Nie udało się użyć klucza dostępu.',
    failedNext: 'Spróbuj ponownie albo użyj innego sposobu. Klucze dostępu wymagają JavaScriptu.'
  },
  tr: {
    cancelledText: 'Geçiş anahtarı kullanılmadı: İptal ettiniz ya da çok uzun sürdü.',
    cancelledNext: 'Yeniden deneyin ya da başka bir yol kullanın.',
    domainText: 'Geçiş anahtarları bu adreste çalışmaz.',
    domainNext: 'Bu siteyi her zamanki adresinden açın.',
    unsupportedText: 'Bu tarayıcı burada geçiş anahtarı kullanamıyor.',
    unsupportedNext: 'Başka bir tarayıcı, cihaz ya da yol kullanın.',
    failedText: 'Geçiş anahtarı kullanılamadı.',
    failedNext: 'Yeniden deneyin ya da başka bir yol kullanın. Geçiş anahtarları için JavaScript gerekir.'
  },
  ar: {
    cancelledText: 'لم يُستخدم أي مفتاح مرور: أُلغي الطلب أو استغرق وقتًا طويلًا.',
    cancelledNext: 'حاول مرة أخرى، أو استخدم طريقة أخرى.',
    domainText: 'لا تعمل مفاتيح المرور في هذا العنوان.',
    domainNext: 'افتح هذا الموقع في عنوانه المعتاد.',
    unsupportedText: 'لا يمكن لهذا المتصفح استخدام مفاتيح المرور هنا.',
    unsupportedNext: 'استخدم متصفحًا آخر أو جهازًا آخر، أو طريقة أخرى.',
    failedText: 'تعذّر استخدام مفتاح المرور.',
    failedNext: 'حاول مرة أخرى، أو استخدم طريقة أخرى. تتطلب مفاتيح المرور JavaScript.'
  },
  he: {
    cancelledText: 'לא נעשה שימוש במפתח גישה: הבקשה בוטלה, או שארכה יותר מדי זמן.',
    cancelledNext: 'אפשר לנסות שוב, או להשתמש בדרך אחרת.',
    domainText: 'מפתחות גישה לא פועלים בכתובת הזאת.',
    domainNext: 'יש לפתוח את האתר בכתובת הרגילה שלו.',
    unsupportedText: 'הדפדפן הזה לא יכול להשתמש כאן במפתחות גישה.',
    unsupportedNext: 'אפשר להשתמש בדפדפן אחר או במכשיר אחר, או בדרך אחרת.',
    failedText: 'לא ניתן היה להשתמש במפתח הגישה.',
    failedNext: 'אפשר לנסות שוב, או להשתמש בדרך אחרת. מפתחות גישה דורשים JavaScript.'
  },
  ja: {
    cancelledText: 'パスキーは使用されませんでした。キャンセルされたか、時間がかかりすぎました。',
    cancelledNext: 'もう一度お試しになるか、ほかの方法を使用してください。',
    domainText: 'このアドレスではパスキーを使用できません。',
    domainNext: 'このサイトをいつものアドレスで開いてください。',
    unsupportedText: 'このブラウザでは、ここでパスキーを使用できません。',
    unsupportedNext: '別のブラウザやデバイス、またはほかの方法を使用してください。',
    failedText: 'パスキーを使用できませんでした。',
    failedNext: 'もう一度お試しになるか、ほかの方法を使用してください。パスキーには JavaScript が必要です。'
  },
  zh: {
    cancelledText: '未使用通行密钥：您已取消，或用时过长。',
    cancelledNext: '请重试，或使用其他方式。',
    domainText: '通行密钥在此网址无法使用。',
    domainNext: '请在此网站的常用网址打开它。',
    unsupportedText: '此浏览器无法在此使用通行密钥。',
    unsupportedNext: '请使用其他浏览器、设备或其他方式。',
    failedText: '无法使用该通行密钥。',
    failedNext: '请重试，或使用其他方式。通行密钥需要 JavaScript。'
  },
  ko: {
    cancelledText: '패스키가 사용되지 않았습니다. 취소되었거나 시간이 너무 오래 걸렸습니다.',
    cancelledNext: '다시 시도하거나 다른 방법을 사용하세요.',
    domainText: '이 주소에서는 패스키가 작동하지 않습니다.',
    domainNext: '이 사이트를 평소 주소로 여세요.',
    unsupportedText: '이 브라우저는 여기에서 패스키를 사용할 수 없습니다.',
    unsupportedNext: '다른 브라우저나 기기 또는 다른 방법을 사용하세요.',
    failedText: '패스키를 사용할 수 없었습니다.',
    failedNext: '다시 시도하거나 다른 방법을 사용하세요. 패스키에는 JavaScript가 필요합니다.'
  },
  hi: {
    cancelledText: 'किसी पासकी का उपयोग नहीं हुआ: आपने रद्द किया, या इसमें बहुत समय लगा।',
    cancelledNext: 'फिर से कोशिश करें, या कोई और तरीका इस्तेमाल करें।',
    domainText: 'इस पते पर पासकी काम नहीं करतीं।',
    domainNext: 'इस साइट को इसके सामान्य पते पर खोलें।',
    unsupportedText: 'यह ब्राउज़र यहाँ पासकी का उपयोग नहीं कर सकता।',
    unsupportedNext: 'कोई और ब्राउज़र, डिवाइस या तरीका इस्तेमाल करें।',
    failedText: 'पासकी का उपयोग नहीं हो सका।',
    failedNext: 'फिर से कोशिश करें, या कोई और तरीका इस्तेमाल करें। पासकी के लिए JavaScript चाहिए।'
  }
}
