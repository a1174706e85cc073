import { createByLanguage } from '../model/by-language.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import type { MailTexts } from './feature-mailer.ts'

interface UnlinkedTexts extends Pick<MailTexts, 'subject' | 'button'> {
  /** If the address has an account. */
  readonly known: string
  /** If no account has the address. */
  readonly unknown: string
}

/** In every language of the pages. */
const unlinkedTexts: ByLanguage<UnlinkedTexts> = {
  en: {
    subject: 'Sign-in to {site} with {provider}',
    button: 'Go to the sign-in page',
    known: `Someone tried to sign in to {site} with {provider} and your email address.
You already have an account, and {provider} is not connected to it. Sign in as you did before; then you can connect {provider}.
If it was not you, ignore this email. Nobody has been signed in.`,
    unknown: `Someone tried to sign in to {site} with {provider} and this email address, which {provider} has not verified.
There is no account with this address. To create one, sign in by email; then you can connect {provider}.
If it was not you, ignore this email. No account has been created.`
  },
  de: {
    subject: 'Anmeldung bei {site} mit {provider}',
    button: 'Zur Anmeldeseite',
    known: `Jemand wollte sich mit {provider} und Ihrer Adresse bei {site} anmelden.
Sie haben bereits ein Konto, das nicht mit {provider} verbunden ist. Melden Sie sich wie bisher an; danach können Sie {provider} verbinden.
Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Niemand wurde angemeldet.`,
    unknown: `Jemand wollte sich mit {provider} und dieser Adresse bei {site} anmelden; {provider} hat die Adresse nicht bestätigt.
Mit dieser Adresse gibt es kein Konto. Um eines zu erstellen, melden Sie sich mit dieser Adresse an, ohne {provider}; danach können Sie {provider} verbinden.
Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wurde kein Konto erstellt.`
  },
  fr: {
    subject: 'Connexion à {site} avec {provider}',
    button: 'Aller à la page de connexion',
    known: `Une personne a essayé de se connecter à {site} avec {provider} et votre adresse e-mail.
Vous avez déjà un compte, et {provider} n’y est pas associé. Connectez-vous comme avant ; vous pourrez ensuite associer {provider}.
Si ce n’était pas vous, ignorez cet e-mail. Personne n’a été connecté.`,
    unknown: `Une personne a essayé de se connecter à {site} avec {provider} et cette adresse e-mail, que {provider} n’a pas vérifiée.
Aucun compte n’a cette adresse. Pour en créer un, connectez-vous par e-mail ; vous pourrez ensuite associer {provider}.
Si ce n’était pas vous, ignorez cet e-mail. Aucun compte n’a été créé.`
  },
  es: {
    subject: 'Inicio de sesión en {site} con {provider}',
    button: 'Ir a la página de inicio de sesión',
    known: `Alguien intentó iniciar sesión en {site} con {provider} y tu dirección de correo.
Ya tienes una cuenta, y {provider} no está conectado a ella. Inicia sesión como antes; después podrás conectar {provider}.
Si no has sido tú, ignora este correo. Nadie ha iniciado sesión.`,
    unknown: `Alguien intentó iniciar sesión en {site} con {provider} y esta dirección de correo, que {provider} no ha verificado.
No hay ninguna cuenta con esta dirección. Para crear una, inicia sesión por correo; después podrás conectar {provider}.
Si no has sido tú, ignora este correo. No se ha creado ninguna cuenta.`
  },
  pt: {
    subject: 'Início de sessão em {site} com {provider}',
    button: 'Ir para a página de entrada',
    known: `Alguém tentou entrar em {site} com {provider} e o seu endereço de e-mail.
Já tem uma conta, e {provider} não está ligado a ela. Entre como antes; depois pode ligar {provider}.
Se não pediu isto, ignore este e-mail. Ninguém entrou.`,
    unknown: `Alguém tentou entrar em {site} com {provider} e este endereço de e-mail, que {provider} não verificou.
Não há nenhuma conta com este endereço. Para criar uma, entre por e-mail; depois pode ligar {provider}.
Se não pediu isto, ignore este e-mail. Nenhuma conta foi criada.`
  },
  it: {
    subject: 'Accesso a {site} con {provider}',
    button: 'Vai alla pagina di accesso',
    known: `Qualcuno ha provato ad accedere a {site} con {provider} e il tuo indirizzo email.
Hai già un account, e {provider} non è collegato a esso. Accedi come prima; poi potrai collegare {provider}.
Se non sei stato tu, ignora questa email. Nessuno ha effettuato l’accesso.`,
    unknown: `Qualcuno ha provato ad accedere a {site} con {provider} e questo indirizzo email, che {provider} non ha verificato.
Non c’è alcun account con questo indirizzo. Per crearne uno, accedi via email; poi potrai collegare {provider}.
Se non sei stato tu, ignora questa email. Nessun account è stato creato.`
  },
  nl: {
    subject: 'Inloggen bij {site} met {provider}',
    button: 'Naar de inlogpagina',
    known: `Iemand probeerde bij {site} in te loggen met {provider} en uw e-mailadres.
U hebt al een account, en {provider} is daar niet aan gekoppeld. Log in zoals u eerder deed; daarna kunt u {provider} koppelen.
Als u dit niet was, negeer dan deze e-mail. Er is niemand ingelogd.`,
    unknown: `Iemand probeerde bij {site} in te loggen met {provider} en dit e-mailadres, dat {provider} niet heeft bevestigd.
Er is geen account met dit adres. Log in via e-mail om er een te maken; daarna kunt u {provider} koppelen.
Als u dit niet was, negeer dan deze e-mail. Er is geen account gemaakt.`
  },
  pl: {
    subject: 'Logowanie do {site} przez {provider}',
    button: 'Przejdź do strony logowania',
    known: `Ktoś próbował zalogować się do {site} przez {provider} z Twoim adresem e-mail.
Masz już konto, a {provider} nie jest z nim połączony. Zaloguj się tak jak dotychczas; potem możesz połączyć {provider}.
Jeśli to nie Ty, zignoruj tę wiadomość. Nikt nie został zalogowany.`,
    unknown: `Ktoś próbował zalogować się do {site} przez {provider} z tym adresem e-mail, którego {provider} nie potwierdził.
Nie ma konta z tym adresem. Aby je utworzyć, zaloguj się przez e-mail; potem możesz połączyć {provider}.
Jeśli to nie Ty, zignoruj tę wiadomość. Nie utworzono konta.`
  },
  tr: {
    subject: '{provider} ile {site} oturumu',
    button: 'Oturum açma sayfasına git',
    known: `Birisi {provider} ve sizin e-posta adresinizle {site} üzerinde oturum açmaya çalıştı.
Zaten bir hesabınız var ve {provider} bu hesaba bağlı değil. Önceki gibi oturum açın; ardından {provider} hesabınızı bağlayabilirsiniz.
Bu siz değilseniz bu e-postayı yok sayın. Kimsenin oturumu açılmadı.`,
    unknown: `Birisi {provider} ve {provider} tarafından doğrulanmamış bu e-posta adresiyle {site} üzerinde oturum açmaya çalıştı.
Bu adresle bir hesap yok. Bir hesap oluşturmak için e-postayla oturum açın; ardından {provider} hesabınızı bağlayabilirsiniz.
Bu siz değilseniz bu e-postayı yok sayın. Hiçbir hesap oluşturulmadı.`
  },
  ar: {
    subject: 'تسجيل الدخول إلى {site} عبر {provider}',
    button: 'الانتقال إلى صفحة تسجيل الدخول',
    known: `حاول شخص ما تسجيل الدخول إلى \u2068{site}\u2069 عبر \u2068{provider}\u2069 بعنوان بريدك الإلكتروني.
لديك حساب بالفعل، وهو غير مرتبط بـ \u2068{provider}\u2069. سجّل الدخول كما فعلت من قبل، ثم يمكنك ربط \u2068{provider}\u2069.
إذا لم تكن أنت من فعل ذلك، فتجاهل هذه الرسالة. لم يسجّل أحد الدخول.`,
    unknown: `حاول شخص ما تسجيل الدخول إلى \u2068{site}\u2069 عبر \u2068{provider}\u2069 بعنوان البريد الإلكتروني هذا، الذي لم يتحقق منه \u2068{provider}\u2069.
لا يوجد حساب بهذا العنوان. لإنشاء حساب، سجّل الدخول بالبريد الإلكتروني، ثم يمكنك ربط \u2068{provider}\u2069.
إذا لم تكن أنت من فعل ذلك، فتجاهل هذه الرسالة. لم يُنشأ أي حساب.`
  },
  he: {
    subject: 'התחברות אל {site} באמצעות {provider}',
    button: 'אל דף ההתחברות',
    known: `מישהו ניסה להתחבר אל \u2068{site}\u2069 באמצעות \u2068{provider}\u2069 וכתובת הדוא״ל שלך.
כבר יש לך חשבון, ו־\u2068{provider}\u2069 לא מקושר אליו. יש להתחבר כמו קודם; לאחר מכן אפשר לקשר את \u2068{provider}\u2069.
אם זה לא היה ביוזמתך, אפשר להתעלם מההודעה. איש לא התחבר.`,
    unknown: `מישהו ניסה להתחבר אל \u2068{site}\u2069 באמצעות \u2068{provider}\u2069 וכתובת הדוא״ל הזאת, ש־\u2068{provider}\u2069 לא אימת.
אין חשבון עם הכתובת הזאת. כדי ליצור חשבון, יש להתחבר באמצעות דוא״ל; לאחר מכן אפשר לקשר את \u2068{provider}\u2069.
אם זה לא היה ביוזמתך, אפשר להתעלם מההודעה. לא נוצר חשבון.`
  },
  ja: {
    subject: '{provider} による {site} へのログイン',
    button: 'ログインページへ',
    known: `どなたかが {provider} とこのメールアドレスを使って {site} にログインしようとしました。
アカウントはすでにありますが、{provider} は連携されていません。これまでと同じ方法でログインすると、{provider} を連携できます。
心当たりがない場合は、このメールを無視してください。ログインは行われていません。`,
    unknown: `どなたかが {provider} とこのメールアドレスを使って {site} にログインしようとしました。このアドレスは {provider} で確認されていません。
このアドレスのアカウントはありません。作成するには、メールでログインしてください。その後、{provider} を連携できます。
心当たりがない場合は、このメールを無視してください。アカウントは作成されていません。`
  },
  zh: {
    subject: '使用 {provider} 登录 {site}',
    button: '前往登录页面',
    known: `有人尝试使用 {provider} 和您的电子邮件地址登录 {site}。
您已有账号，但尚未关联 {provider}。请按以前的方式登录，然后即可关联 {provider}。
如果不是您本人操作，请忽略此邮件。没有人登录。`,
    unknown: `有人尝试使用 {provider} 和此电子邮件地址登录 {site}，但 {provider} 尚未验证该地址。
没有使用此地址的账号。要创建账号，请通过邮件登录，然后即可关联 {provider}。
如果不是您本人操作，请忽略此邮件。没有创建任何账号。`
  },
  ko: {
    subject: '{provider} 계정으로 {site} 로그인',
    button: '로그인 페이지로 이동',
    known: `누군가 {provider} 계정과 이 이메일 주소로 {site}에 로그인하려고 했습니다.
이미 계정이 있지만 {provider} 계정이 연결되어 있지 않습니다. 이전과 같은 방법으로 로그인한 다음 {provider} 계정을 연결할 수 있습니다.
본인이 아니라면 이 이메일을 무시하세요. 아무도 로그인하지 않았습니다.`,
    unknown: `누군가 {provider} 계정과 이 이메일 주소로 {site}에 로그인하려고 했습니다. {provider}에서 이 주소를 확인하지 않았습니다.
이 주소를 사용하는 계정이 없습니다. 계정을 만들려면 이메일로 로그인하세요. 그다음 {provider} 계정을 연결할 수 있습니다.
본인이 아니라면 이 이메일을 무시하세요. 계정이 만들어지지 않았습니다.`
  },
  hi: {
    subject: '{provider} से {site} पर साइन इन',
    button: 'साइन इन पेज पर जाएँ',
    known: `किसी ने {provider} और आपके ईमेल पते से {site} पर साइन इन करने की कोशिश की।
आपका खाता पहले से है और {provider} उससे जुड़ा नहीं है। पहले की तरह साइन इन करें; फिर आप {provider} जोड़ सकते हैं।
अगर यह आपने नहीं किया, तो इस ईमेल पर ध्यान न दें। किसी ने साइन इन नहीं किया है।`,
    unknown: `किसी ने {provider} और इस ईमेल पते से {site} पर साइन इन करने की कोशिश की। {provider} ने इस पते की पुष्टि नहीं की है।
इस पते का कोई खाता नहीं है। खाता बनाने के लिए ईमेल से साइन इन करें; फिर आप {provider} जोड़ सकते हैं।
अगर यह आपने नहीं किया, तो इस ईमेल पर ध्यान न दें। कोई खाता नहीं बनाया गया है।`
  },
  'de-informal': {
    subject: 'Anmeldung bei {site} mit {provider}',
    button: 'Zur Anmeldeseite',
    known: `Jemand wollte sich mit {provider} und deiner Adresse bei {site} anmelden.
Du hast bereits ein Konto, das nicht mit {provider} verbunden ist. Melde dich wie bisher an; danach kannst du {provider} verbinden.
Wenn du das nicht warst, ignoriere diese E-Mail. Niemand wurde angemeldet.`,
    unknown: `Jemand wollte sich mit {provider} und dieser Adresse bei {site} anmelden; {provider} hat die Adresse nicht bestätigt.
Mit dieser Adresse gibt es kein Konto. Um eines zu erstellen, melde dich mit dieser Adresse an, ohne {provider}; danach kannst du {provider} verbinden.
Wenn du das nicht warst, ignoriere diese E-Mail. Es wurde kein Konto erstellt.`
  }
}

function inEachLanguage(reader: 'known' | 'unknown'): ByLanguage<MailTexts> {
  const toMail = ({ subject, button, [reader]: text }: UnlinkedTexts): MailTexts => ({ subject, text, button })
  return createByLanguage(Object.keys(unlinkedTexts), (language) => toMail(unlinkedTexts[language] ?? unlinkedTexts.en))
}

/** A mail about an account. The values are `provider`, `site` and `url`. */
interface AccountMail {
  readonly id: string
  readonly texts: ByLanguage<MailTexts>
}

/** The mails to the owner of an address that a new account at a provider has. */
export const accountMails: { readonly known: AccountMail; readonly unknown: AccountMail } = {
  known: { id: 'postern/account-exists', texts: inEachLanguage('known') },
  unknown: { id: 'postern/no-account', texts: inEachLanguage('unknown') }
}
