import type { Language } from '@postern/pages'

/** What a translation names wherever English does. */
export const named = ['account', 'password', 'passkey', 'authenticatorApp', 'recoveryCode', 'twoSteps'] as const

/** What a translation may also paraphrase. */
export const paraphrased = ['address', 'device', 'signIn', 'signOut'] as const

type Thing = (typeof named | typeof paraphrased)[number]

/** The words of one language. The parts of patterns are those that inflection leaves. */
interface Glossary {
  /** The one word for each thing. */
  readonly words: Readonly<Record<Thing, RegExp>>
  /** Other words for the same things. */
  readonly others: RegExp
  /** The forms of address that the language does not use. */
  readonly address: RegExp | null
}

/** What English says, to find the texts in which a translation has to say it. */
export const english: Readonly<Record<Thing, RegExp>> = {
  account: /\baccounts?\b/i,
  password: /\bpasswords?\b/i,
  passkey: /\bpasskeys?\b/i,
  authenticatorApp: /\bauthenticator apps?\b/i,
  recoveryCode: /\brecovery codes?\b/i,
  twoSteps: /\btwo-step verification\b/i,
  address: /\bemail address(?:es)?\b/i,
  device: /\bdevices?\b/i,
  signIn: /^sign in$/i,
  signOut: /^sign out$/i
}

/** At the beginning of a sentence, *Sie* may also be *they*, or *she*. */
const formalGerman =
  /(?<=[\p{L}\p{N}\u2068\u2069,–] )(?:Sie|Ihnen)(?!\p{L})|(?<!\p{L})(?:Ihr|Ihre[mnrs]?)(?!\p{L})|(?<!\p{L})Sie (?:sind|haben|können|werden|wurden|brauchen|bleiben|dürfen|melden)(?= |$)/u
const informalGerman = /(?<!\p{L})(?:du|dir|dich|dein|deine[mnrs]?|euch|euer|eure[mnrs]?)(?!\p{L})/iu

const german: Pick<Glossary, 'words' | 'others'> = {
  words: {
    account: /Konto|Konten/i,
    password: /Passw[oö]rt/i,
    passkey: /Passkey/,
    authenticatorApp: /Authenticator-App/,
    recoveryCode: /Wiederherstellungscode/,
    twoSteps: /Bestätigung in zwei Schritten/,
    address: /E-Mail-Adresse/,
    device: /Gerät/,
    signIn: /^Anmelden$/,
    signOut: /^Abmelden$/
  },
  others:
    /Kennw|Account|Login|Logout|einlogg|auslogg|zweite\w* Faktor|Zwei-Faktor|Nachricht|Mailadresse|Emailadresse|angelegt|anzulegen|Zugangsschlüssel|Backup|Email/i
}

/** One form of address and one word for one thing in each language. */
export const glossaries: Readonly<Record<Language, Glossary>> = {
  en: {
    words: english,
    others:
      /\blog ?(?:in|out)\b|e-mail|second factor|2fa|two-factor|backup code|security key|sign in (?:link|email|code)/i,
    address: null
  },
  de: { ...german, address: informalGerman },
  'de-informal': { ...german, address: formalGerman },
  fr: {
    words: {
      account: /comptes?/i,
      password: /mots? de passe/i,
      passkey: /clés? d’accès/i,
      authenticatorApp: /applications? d’authentification/i,
      recoveryCode: /codes? de récupération/i,
      twoSteps: /validation en deux étapes/i,
      address: /adresses? e-mail/i,
      device: /appareils?/i,
      signIn: /^(?:Se connecter|Connexion)$/,
      signOut: /^(?:Se déconnecter|Déconnexion)$/
    },
    others:
      /courriel|\bmél\b|\bemail|second facteur|double authentification|passkey|identifiant de connexion|s’identifier|login/i,
    address: /(?<!\p{L})(?:tu|toi|te|ton|ta|tes)(?!\p{L})/iu
  },
  es: {
    words: {
      account: /cuentas?/i,
      password: /contraseñas?/i,
      passkey: /llaves? de acceso/i,
      authenticatorApp: /apps? de autenticación/i,
      recoveryCode: /códigos? de recuperación/i,
      twoSteps: /verificación en dos pasos/i,
      address: /dirección de correo/i,
      device: /dispositivos?/i,
      signIn: /^(?:Iniciar sesión|Inicia sesión)$/,
      signOut: /^Cerrar sesión$/
    },
    others: /correo electrónico|\be-?mail|segundo factor|passkey|clave de acceso|ingresar|loguear/i,
    address:
      /(?<!\p{L})(?:usted|ustedes|inténtelo|inicie|compruebe|introduzca|escriba|confirme|espere|avise|abra|use|elija|póngase|vuelva|suy[oa]s?|le hemos|le damos)(?!\p{L})/iu
  },
  pt: {
    words: {
      account: /contas?/i,
      password: /palavras?-passe/i,
      passkey: /chaves? de acesso/i,
      authenticatorApp: /aplicação de autenticação/i,
      recoveryCode: /códigos? de recuperação/i,
      twoSteps: /verificação em dois passos/i,
      address: /endereços? de e-mail/i,
      device: /dispositivos?/i,
      signIn: /^Entrar$/,
      signOut: /^Sair$/
    },
    others:
      /senha|segundo fator|passkey|usuári|arquivo|aplicativo|\bapps?\b|celular|\btela\b|salv[aeo]|exclu[ií]|baix[ae]|cadastr|registr|solicita|provedor|\bdigit(?:e|ar?)\b|\bem uma?\b|entre em contato|\bemail|autenticador/i,
    address: /(?<!\p{L})(?:você|vocês|tu|ti|teu|tua|teus|tuas)(?!\p{L})|(?:^|[.,;:] )(?:Seus?|Suas?) /u
  },
  it: {
    words: {
      account: /account/i,
      password: /password/i,
      passkey: /passkey/i,
      authenticatorApp: /app di autenticazione/i,
      recoveryCode: /codic[ei] di recupero/i,
      twoSteps: /verifica in due passaggi/i,
      address: /indirizz[oi] email/i,
      device: /dispositiv[oi]/i,
      signIn: /^Accedi$/,
      signOut: /^Esci$/
    },
    others: /e-mail|secondo fattore|chiave d.accesso|parola d.ordine|login|disconnettiti/i,
    address:
      /(?<!\p{L})(?:Lei|Suo|Sua|Suoi|Sue|riprovi|acceda|inserisca|controlli|verifichi|scelga|attenda|apra|avvisi|contatti|le abbiamo|le diamo)(?!\p{L})/u
  },
  nl: {
    words: {
      account: /accounts?/i,
      password: /wachtwoord/i,
      passkey: /passkey/i,
      authenticatorApp: /authenticator-app/i,
      recoveryCode: /herstelcode/i,
      twoSteps: /verificatie in twee stappen/i,
      address: /e-mailadres/i,
      device: /appara(?:at|ten)/i,
      signIn: /^Inloggen$/,
      signOut: /^Uitloggen$/
    },
    others: /aanmeld|afmeld|tweede factor|toegangssleutel|\bemail/i,
    address: /(?<!\p{L})(?:je|jij|jou|jouw|jullie)(?!\p{L})/iu
  },
  pl: {
    words: {
      account: /kont(?:o|a|u|em)|koncie/i,
      password: /has(?:ł|eł|el|le)/i,
      passkey: /klucz\w* dostępu/i,
      authenticatorApp: /aplikacj\p{L}* uwierzytelniając/iu,
      recoveryCode: /kod\p{L}* odzyskiwania/iu,
      twoSteps: /weryfikacj\p{L}* dwuetapow/iu,
      address: /adres\p{L}* e-mail/iu,
      device: /urządze/i,
      signIn: /^Zaloguj się$/,
      signOut: /^Wyloguj się$/
    },
    others: /drug\p{L}* składnik|passkey|\bemail|klucz\p{L}* logowania/iu,
    address: /(?<!\p{L})(?:Pan|Pani|Państwo|Pana|Panu|Panią)(?!\p{L})/u
  },
  tr: {
    words: {
      account: /hesa[bp]/i,
      password: /parola/i,
      passkey: /geçiş anahtar/i,
      authenticatorApp: /kimlik doğrulama uygulama/i,
      recoveryCode: /kurtarma kod/i,
      twoSteps: /(?:iki|İki) adımlı doğrulama/i,
      address: /e-posta adres/i,
      device: /cihaz/i,
      signIn: /^Oturum aç$/,
      signOut: /^Oturumu kapat$/
    },
    others: /şifre|ikinci (?:bir )?faktör|passkey|giriş yap|çıkış yap|\bemail/iu,
    address: /(?<!\p{L})(?:sen|sana|senin|seni)(?!\p{L})/iu
  },
  ar: {
    words: {
      account: /حساب/,
      password: /(?:كلمةَ?|كلمات|كلمتي) (?:ال)?مرور/,
      passkey: /(?:مفتاح|مفاتيح) (?:ال)?مرور|مفتاحا? مرور/,
      authenticatorApp: /تطبيق (?:ال)?مصادقة/,
      recoveryCode: /(?:رمز|رموز|رمزًا) (?:ال)?استرداد/,
      twoSteps: /(?:ال|لل)تحقق بخطوتين/,
      address: /بريد(?:ك|ه)? ?(?:ال)?إلكتروني|البريد/,
      device: /جهاز|أجهز/,
      signIn: /^تسجيل الدخول$/,
      signOut: /^تسجيل الخروج$/
    },
    others: /كلمة السر|كلمة سر|عامل ثانٍ|العامل الثاني|إيميل|المصادقة الثنائية/,
    address: null
  },
  he: {
    words: {
      account: /חשבו/,
      password: /סיסמ/,
      passkey: /(?:מפתח|מפתחות|מפתחי) ה?גישה/,
      authenticatorApp: /אפליקציי?ת ה?אימות/,
      recoveryCode: /קו(?:ד|די) ה?שחזור/,
      twoSteps: /ה?אימות ה?דו־שלבי/,
      address: /כתובת (?:ה)?דוא״ל|דוא״ל/,
      device: /מכשיר/,
      signIn: /^התחברות$/,
      signOut: /^התנתקות$/
    },
    others: /אימייל|גורם אימות|סיסמא(?!ו)|כניסה|להיכנס/,
    address: null
  },
  ja: {
    words: {
      account: /アカウント/,
      password: /パスワード/,
      passkey: /パスキー/,
      authenticatorApp: /認証アプリ/,
      recoveryCode: /リカバリーコード/,
      twoSteps: /2 段階認証/,
      address: /メールアドレス|アドレス/,
      device: /デバイス/,
      signIn: /^ログイン$/,
      signOut: /^ログアウト$/
    },
    others: /サインイン|サインアウト|認証要素|二段階|復旧コード|回復コード|暗証番号|端末/,
    address: /あなた/
  },
  zh: {
    words: {
      account: /账号/,
      password: /密码/,
      passkey: /通行密钥/,
      authenticatorApp: /身份验证器应用/,
      recoveryCode: /恢复代码/,
      twoSteps: /两步验证/,
      address: /(?:电子)?邮件地址/,
      device: /设备/,
      signIn: /^登录$/,
      signOut: /^退出登录$/
    },
    others: /账户|帐号|帐户|口令|登入|登出|注销|第二重|双重验证|恢复码|邮箱/,
    address: /你/
  },
  ko: {
    words: {
      account: /계정/,
      password: /비밀번호/,
      passkey: /패스키/,
      authenticatorApp: /인증 앱/,
      recoveryCode: /복구 코드/,
      twoSteps: /2단계 인증/,
      address: /이메일 주소/,
      device: /기기/,
      signIn: /^로그인$/,
      signOut: /^로그아웃$/
    },
    others: /2차 인증|암호|패스워드|장치|디바이스/,
    address: /당신|너의|네가/
  },
  hi: {
    words: {
      account: /खात/,
      password: /पासवर्ड/,
      passkey: /पासकी/,
      authenticatorApp: /ऑथेंटिकेटर ऐप/,
      recoveryCode: /रिकवरी कोड/,
      twoSteps: /दो चरणों में पुष्टि/,
      address: /ईमेल (?:के )?पत/,
      device: /डिवाइस/,
      signIn: /^साइन इन(?: करें)?$/,
      signOut: /^साइन आउट(?: करें)?$/
    },
    others: /फ़ैक्टर|लॉग ?इन|लॉग ?आउट|अकाउंट|कूटशब्द/,
    address: /(?<!\p{L}\p{M}*)(?:तुम|तू|तुम्हार\p{M}*)(?!\p{L})/u
  }
}
