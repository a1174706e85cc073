import { tr as mailedCode } from '../../mail/texts/tr.ts'
import type { TextKey } from './en.ts'

export const tr = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'tr',
  name: 'Geçiş anahtarı',
  signIn: 'Geçiş anahtarıyla oturum aç',
  signInText: 'Cihazınız parmak izinizi, yüzünüzü ya da ekran kilidini ister.',
  needsScript: 'Geçiş anahtarları için JavaScript ve bunları destekleyen bir tarayıcı gerekir.',
  otherWays: 'Oturum açmanın diğer yolları',
  noneHere: 'Burada geçiş anahtarı yok mu? Telefonunuzu ya da başka bir yol kullanın.',
  usePhone: 'Telefonunuzu kullanın',
  offer: 'Bir dahaki sefere daha hızlı oturum açın',
  offerText:
    'Bir geçiş anahtarı oluşturun ve parmak izinizle, yüzünüzle ya da cihazınızın ekran kilidiyle oturum açın.',
  notNow: 'Şimdi değil',
  neverAsk: 'Bir daha sorma',

  summary: '{names}',
  toAccount: 'Hesaba dön',
  summaryNone: 'Geçiş anahtarı yok',
  passkeys: 'Geçiş anahtarları',
  passkeysText: 'Parola yerine parmak izinizle, yüzünüzle ya da cihazınızın ekran kilidiyle oturum açın.',
  synced: 'Birden fazla cihazda kullanılabilir.',
  local: 'Tek bir cihazda.',
  createdAt: '{date} tarihinde eklendi.',
  usedAt: 'En son {date} tarihinde kullanıldı.',
  add: 'Geçiş anahtarı ekle',
  verify: 'Değişiklik yapmak için siz olduğunuzu doğrulayın',
  notCreated: 'Geçiş anahtarı oluşturulmadı: İptal ettiniz ya da çok uzun sürdü.',
  existsText: 'Bu cihazda hesabınız için zaten bir geçiş anahtarı var.',
  existsNext: 'Onunla oturum açabilirsiniz.',
  expired: 'Bu çok uzun sürdü. Yeniden deneyin.',
  failed: 'Geçiş anahtarı eklenemedi. Geçiş anahtarları için JavaScript ve bunları destekleyen bir tarayıcı gerekir.',
  exists: 'Bu geçiş anahtarı daha önce eklendi.',
  tooMany: 'En fazla geçiş anahtarı sayısına ulaştınız. Başka bir tane eklemek için birini kaldırın.',
  unverified: 'Geçiş anahtarı eklemek için önce e-posta adresinizi doğrulayın.',
  mailText:
    'Geçiş anahtarını iki adımlı doğrulamada da kullanmak için önce e-postayla bir kod alın. Kod olmadan yalnızca bir oturum açma yoludur.',

  label: 'Ad',
  save: 'Adı kaydet',
  remove: 'Geçiş anahtarını kaldır',
  removeText: 'Oturumunuz diğer her yerde kapatılır. Geçiş anahtarını cihazınızdan da silin.',
  nameMissing: 'Bir ad girin.',
  conflict: 'Geçiş anahtarı başka bir istekle değiştirildi. Yeniden deneyin.',
  lastWayIn: 'Oturum açmanın tek yolu bu. Kaldırmadan önce başka bir yol ekleyin.',
  back: 'Tüm geçiş anahtarları',
  unavailable: 'Geçiş anahtarınız olamaz',
  unavailableText: 'Oturum açtığınız hesap burada saklanmıyor.',

  unknownText: 'Bu geçiş anahtarı burada bilinmiyor.',
  unknownNext: 'Kaldırılmış olabilir. Başka bir tane kullanın ya da başka bir yolla oturum açın.',
  changedText: 'Bu geçiş anahtarı eklendikten sonra değişmiş.',
  changedNext: 'Başka bir yolla oturum açın, onu kaldırın ve yeniden ekleyin.',
  expiredText: 'Geçiş anahtarıyla oturum açma çok uzun sürdü.',
  expiredNext: 'Yeniden deneyin.',

  createAccount: 'Geçiş anahtarıyla hesap oluştur',
  signUpText: 'Adresinizi doğrulamanız için bir e-posta alacaksınız. Hesap bundan sonra oluşturulur.',
  email: 'E-posta adresi',
  createPasskey: 'Geçiş anahtarı oluştur',
  toSignIn: 'Oturum aç',

  checkMail: 'E-postanızı kontrol edin',
  checkMailText: 'Bu adrese bir e-posta gönderiliyor. İçindeki bağlantıyı açın ya da kodu buraya girin.',
  code: 'Kod',
  continue: 'Devam et',
  startAgain: 'Yeniden başla',
  emailLetters: '@ işaretinden önce ä veya é gibi harfler içeren e-posta adresleri desteklenmiyor.',
  emailInvalid: 'ada@example.com gibi bir e-posta adresi girin.',
  codeWrong: 'Bu kod yanlış. En son e-postaya bakın.',

  confirm: 'E-posta adresinizi doğrulayın',
  confirmText: 'Hesabınız bu adresle oluşturulur ve oturumunuz açılır.',
  confirmUnused:
    'Bu adresle zaten bir hesap var. Bu hesapta oturum açarsınız ve oluşturduğunuz geçiş anahtarı kullanılmaz.',
  confirmSubmit: 'Doğrula ve oturum aç',
  createText:
    'Kayıt bu tarayıcıda yapılmadı. Yeni hesabınızın geçiş anahtarını burada oluşturun ya da e-postadaki kodu kaydolduğunuz tarayıcıda girin.',
  gone: 'Bu bağlantı artık çalışmıyor',
  goneText: 'Kullanıldı, süresi doldu ya da o zamandan beri bir şey değişti. Yenisini isteyin.',
  used: 'Zaten yapıldı',
  usedText: 'Bu bağlantı daha önce kullanıldı. Artık ona ihtiyacınız yok.',

  mailAddedSubject: '{site} hesabınıza bir geçiş anahtarı eklendi',
  mailAddedText:
    '“{passkey}” geçiş anahtarı {site} hesabınıza {time} tarihinde {client} adresinden eklendi.\nBu siz değilseniz hemen kaldırın. Bu, diğer herkesin oturumunu kapatır.',
  mailRemovedSubject: '{site} hesabınızdan bir geçiş anahtarı kaldırıldı',
  mailRemovedText:
    '“{passkey}” geçiş anahtarı {site} hesabınızdan {time} tarihinde {client} adresinden kaldırıldı.\nBu siz değilseniz oturum açın ve hesabınızda oturum açma yollarını kontrol edin.',
  mailCopiedSubject: '{site} için bir geçiş anahtarı kopyalanmış olabilir',
  mailCopiedText:
    'Birisi {time} tarihinde {client} adresinden “{passkey}” geçiş anahtarıyla {site} sitesinde oturum açmayı denedi. Anahtarın sayacı bir kopyası olabileceğini gösteriyor, bu yüzden oturum açma reddedildi.\nBu geçiş anahtarını kaldırın ve yeni bir tane ekleyin.',
  mailButton: 'Geçiş anahtarlarını kontrol et',

  mailSignUpSubject: '{site} için e-posta adresinizi doğrulayın',
  mailSignUpText:
    'Birisi bu adresle {site} sitesine kaydoldu.\nHesabı oluşturmak için adresi bir saat içinde doğrulayın. Kaydolduğunuz tarayıcıda şu kodu da girebilirsiniz:\n{code}\nBu siz değilseniz e-postayı yok sayın. Hesap oluşturulmaz.',
  mailSignUpButton: 'E-posta adresini doğrula',
  mailExistsSubject: '{site} sitesinde zaten bir hesabınız var',
  mailExistsText:
    'Birisi, zaten hesabı olan bu adresle {site} sitesine kaydoldu.\nDaha önce yaptığınız gibi oturum açın.\nBu siz değilseniz e-postayı yok sayın. Hiçbir şey değişmedi.',
  mailExistsButton: 'Oturum aç'
})
