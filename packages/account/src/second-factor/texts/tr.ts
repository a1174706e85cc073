import { tr as mailedCode } from '../../mail/texts/tr.ts'
import type { TextKey } from './en.ts'

export const tr = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'tr',
  summaryOn: 'Açık',
  toAccount: 'Hesaba dön',
  summaryOff: 'Kapalı',
  section: 'İki adımlı doğrulama',
  factorsText:
    'İki adımlı doğrulamayla, yalnızca parolanızı bilen ya da yalnızca e-postalarınızı okuyan biri oturum açamaz.',
  app: 'Kimlik doğrulama uygulaması',
  appAdded: '{date} tarihinde kuruldu.',
  appUsed: 'En son {date} tarihinde kullanıldı.',
  noApp: 'Kimlik doğrulama uygulaması kurulmadı.',
  start: 'Kimlik doğrulama uygulaması kur',
  remove: 'Kimlik doğrulama uygulamasını kaldır',
  removeText: 'Kurtarma kodlarınız da kaldırılır ve oturumunuz diğer her yerde kapatılır.',
  removeAlone: 'Oturumunuz diğer her yerde kapatılır.',
  codesLeft: 'Kalan kurtarma kodları: {left}.',
  codesFew: 'Az sayıda kurtarma kodunuz kaldı. Yenilerini oluşturun.',
  codesMissing: 'Kurtarma kodunuz yok. Yenilerini oluşturun.',
  createCodes: 'Yeni kurtarma kodları oluştur',
  createCodesText: 'Şu anki kodlarınız artık çalışmaz.',
  verify: 'Değişiklik yapmak için siz olduğunuzu doğrulayın',
  anyCode: 'Uygulamadaki kod ya da kurtarma kodu',

  enroll: 'Kimlik doğrulama uygulaması kur',
  enrollText:
    'Bu anahtarı telefonunuzdaki bir kimlik doğrulama uygulamasına ekleyin: QR kodunu tarayın ya da anahtarı kopyalayın.',
  enrollRequired: 'Bu site iki adımlı doğrulama gerektirir.',
  qrCode: 'Kimlik doğrulama uygulaması için QR kodu',
  key: 'Uygulama için anahtar',
  code: 'Uygulamadaki kod',
  codeHint: '{digits} rakam',
  confirm: 'Onayla',
  confirmAddress: 'E-posta adresinizi doğrulayın',
  mailText: 'Sizden başka kimsenin uygulama kuramaması için önce e-postayla bir kod alın.',

  codes: 'Kurtarma kodlarınız',
  codesText:
    'Örneğin telefonunuzu kaybederseniz, uygulama yerine bu kodlardan biriyle oturum açabilirsiniz. Her kod bir kez çalışır. Kodları güvenli bir yerde saklayın: yalnızca şimdi gösterilir.',
  codesShown: 'Kurtarma kodlarınız daha önce gösterildi. Kaydetmediyseniz oturum açtıktan sonra yenilerini oluşturun.',
  codesDownload: 'Kodları indir',
  codesSaved: 'Kodları kaydettim',
  back: 'İki adımlı doğrulama',

  challenge: 'Siz olduğunuzu doğrulayın',
  challengeText: 'Kimlik doğrulama uygulamanızın şu anda gösterdiği kodu girin.',
  challengePasskey: 'Devam etmek için geçiş anahtarınızı kullanın.',
  challengeOther: 'Devam etmek için bir geçiş anahtarı ya da kurtarma kodu kullanın.',
  challengeRecovery: 'Devam etmek için bir kurtarma kodu kullanın.',
  challengeNone: 'Başka bir yolla oturum açın ya da bu sitenin yöneticileriyle iletişime geçin.',
  exhaustedText: 'Hesabınız için çok sayıda yanlış kod girildi, bu yüzden e-postayla gönderilen bir kod da gerekir.',
  continue: 'Devam et',
  trust: 'Bu tarayıcıda {days} boyunca yeniden sorma',
  usePasskey: 'Geçiş anahtarı kullan',
  needsScript: 'Geçiş anahtarları için JavaScript ve bunları destekleyen bir tarayıcı gerekir.',
  useRecoveryCode: 'Kurtarma kodu kullan',
  recoveryCode: 'Kurtarma kodu',
  recoveryHint: 'On harf ve rakam',

  codeWrong: 'Kod yanlış, daha önce kullanılmış ya da süresi dolmuş. Uygulamanın şu anda gösterdiği kodu girin.',
  recoveryWrong: 'Bu kurtarma kodu yanlış ya da daha önce kullanılmış.',
  anyWrong: 'Kod yanlış ya da daha önce kullanılmış.',
  passkeyWrong: 'Geçiş anahtarı kullanılamadı. Yeniden deneyin ya da başka bir yol kullanın.',
  passkeyChanged:
    'Bu geçiş anahtarı eklendikten sonra değişmiş. Başka bir yol kullanın, ardından onu kaldırın ve yeniden ekleyin.',
  exhausted: 'Çok fazla yanlış kod girildi, bu yüzden uygulamadaki kod yeterli değil.',
  expired: 'Bu çok uzun sürdü. Yeniden başlayın.',
  conflict: 'İki adımlı doğrulama başka bir istekle değiştirildi. Yeniden deneyin.',
  unverified: 'İki adımlı doğrulamayı kurmak için önce e-posta adresinizi doğrulayın.',

  unavailable: 'İki adımlı doğrulamayı kuramazsınız',
  unavailableText: 'Oturum açtığınız hesap burada saklanmıyor.',
  signIn: 'Oturum aç',

  step: 'Adım {step} / 3',
  openApp: 'Kimlik doğrulama uygulamanızda aç',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  goBack: 'Geri',
  codesPrint: 'Yazdır',
  anotherAccount: 'Başka bir hesap kullan',
  lost: 'Telefonumu ve kodlarımı kaybettim',
  lostTitle: 'Telefonunuzu ve kodlarınızı mı kaybettiniz?',
  lostFactor: 'Telefonunuzu veya geçiş anahtarınızı mı kaybettiniz?',
  lostText: 'Önce kurtarma kodlarını arayın: {file} dosyasında, kâğıtta ya da parola yöneticinizde.',
  lostHelp:
    'Bulamazsanız bu sitenin yöneticileriyle iletişime geçin. Siz olduğunuzu doğruladıktan sonra hesabınız için iki adımlı doğrulamayı kapatabilirler.',
  lostContact:
    'Bu sitenin yöneticileriyle iletişime geçin. Siz olduğunuzu doğruladıktan sonra hesabınız için iki adımlı doğrulamayı kapatabilirler.',
  support: 'Destek ekibiyle iletişime geç',
  recoveryCodes: 'Kurtarma kodları',
  recoveryText: 'Telefonunuzu kaybettiyseniz kurtarma koduyla oturum açabilirsiniz. Her kod bir kez çalışır.',
  noCodes: 'Henüz kurtarma kodunuz yok.',
  passkeys: 'Geçiş anahtarları',
  passkeysNotAsked:
    'Kimlik doğrulama uygulaması olmadan, başka bir yolla oturum açtığınızda geçiş anahtarı istenmez. İki adımlı doğrulamayı açmak için bir uygulama kurun.',

  mailCodeSubject: '{site} için kodunuz',
  mailCodeText:
    'Birisi {site} hesabınızda oturum açıyor veya hesabınız için bir kimlik doğrulama uygulaması veya bir geçiş anahtarı kuruyor. Devam etmek için şu kod gerekir:\n{code}\nBu siz değilseniz kodu kimseye vermeyin ve oturum açmak için kullandıklarınızı değiştirin.',
  mailAddedSubject: '{site} hesabınızda iki adımlı doğrulama açıldı',
  mailAddedText:
    '{site} hesabınız için {time} tarihinde {client} adresinden bir kimlik doğrulama uygulaması kuruldu.\nBu siz değilseniz hemen {site} destek ekibiyle iletişime geçin.',
  mailRemovedSubject: '{site} hesabınızda iki adımlı doğrulama kapatıldı',
  mailRemovedText:
    'Kimlik doğrulama uygulaması ve kurtarma kodları {site} hesabınızdan {time} tarihinde {client} adresinden kaldırıldı.\nBu siz değilseniz oturum açın ve hemen bir kimlik doğrulama uygulaması kurun.',
  mailAppRemovedSubject: 'Kimlik doğrulama uygulaması {site} hesabınızdan kaldırıldı',
  mailAppRemovedText:
    'Kimlik doğrulama uygulaması {site} hesabınızdan {time} tarihinde {client} adresinden kaldırıldı.\nBu siz değilseniz oturum açın ve hemen bir kimlik doğrulama uygulaması kurun.',
  mailUsedSubject: '{site} hesabınızın bir kurtarma kodu kullanıldı',
  mailUsedText:
    '{site} hesabınızın bir kurtarma kodu {time} tarihinde {client} adresinden kullanıldı. Kalan kurtarma kodları: {left}.\nBu siz değilseniz oturum açın, oturum açmak için kullandıklarınızı değiştirin ve yeni kurtarma kodları oluşturun.',
  mailRenewedSubject: '{site} hesabınız için yeni kurtarma kodları oluşturuldu',
  mailRenewedText:
    '{site} hesabınız için {time} tarihinde {client} adresinden yeni kurtarma kodları oluşturuldu. Önceki kodlar artık çalışmaz.\nBu siz değilseniz oturum açın, oturum açmak için kullandıklarınızı değiştirin ve yeni kurtarma kodları oluşturun.',
  mailResetSubject: '{site} hesabınızın iki adımlı doğrulaması sıfırlandı',
  mailResetText:
    '{site} destek ekibi, hesabınızın kimlik doğrulama uygulamasını ve kurtarma kodlarını {time} tarihinde kaldırdı. Oturumunuz her yerde kapatıldı.\nBunu siz istemediyseniz hemen destek ekibiyle iletişime geçin.',
  mailButton: 'İki adımlı doğrulamayı kontrol et'
})
