import type { TextKey } from './en.ts'

export const tr = (): Readonly<Record<TextKey, string>> => ({
  name: 'Parola',
  email: 'E-posta adresi',
  password: 'Parola',
  newPassword: 'Yeni parola',
  currentPassword: 'Mevcut parola',
  code: 'Kod',
  signIn: 'Oturum aç',
  createAccount: 'Hesap oluştur',
  remember: 'Oturum açık kalsın',
  forgotPassword: 'Parolanızı mı unuttunuz?',
  summarySet: 'Ayarlandı',
  toAccount: 'Hesaba dön',
  summaryNone: 'Ayarlanmadı',
  section: 'Parola',

  signUpText: 'Adresinizi doğrulamanız için bir e-posta alacaksınız. Hesap bundan sonra oluşturulur.',
  passwordHint: 'En az {minLength} karakter. Bir cümleyi hatırlamak kolaydır.',
  strengthShort: 'Çok kısa',
  strengthFair: 'Yeterli parola: daha uzunu daha iyidir.',
  strengthGood: 'İyi parola.',
  strengthStrong: 'Güçlü parola.',
  continue: 'Devam et',

  checkMail: 'E-postanızı kontrol edin',
  checkMailText: 'Bu adrese bir e-posta gönderiliyor. İçindeki bağlantıyı açın ya da kodu buraya girin.',
  checkMailReset: 'Bu adrese bir e-posta gönderiliyor. Devam etmek için içindeki bağlantıyı açın.',
  startAgain: 'Yeniden başla',

  confirm: 'E-posta adresinizi doğrulayın',
  confirmText: 'Hesabınız bu adresle oluşturulur ve oturumunuz açılır.',
  confirmExisting: 'Bu adresle hesabınızda oturum açarsınız.',
  confirmUnused: 'Bu adresle zaten bir hesap var. Bu hesapta oturum açarsınız ve seçtiğiniz parola kullanılmaz.',
  choose: 'Bir parola seçin',
  chooseText: 'Kayıt bu tarayıcıda yapılmadı. Yeni hesabınızın parolasını seçin.',
  confirmSubmit: 'Doğrula ve oturum aç',

  forgot: 'Parolanızı mı unuttunuz?',
  forgotText: 'E-posta adresinizi girin. Yeni parola seçmek için bir bağlantı alacaksınız.',
  reset: 'Yeni bir parola seçin',
  resetText: 'Tüm cihazlarda oturumunuz kapatılır. Ardından yeni parolayla oturum açabilirsiniz.',
  save: 'Parolayı kaydet',

  change: 'Parolayı değiştir',
  changeText: 'Oturumunuz burada açık kalır, diğer her yerde kapatılır.',
  set: 'Parola belirle',
  setText: 'Böylece e-posta adresiniz ve bu parolayla da oturum açabilirsiniz.',
  unavailable: 'Parola belirleyemezsiniz',
  unavailableText: 'Parola için doğrulanmış bir e-posta adresi gerekir.',
  changed: 'Parolanız değiştirildi',
  changedText: 'Bundan sonra yeni parolayı kullanın.',
  toSite: 'Devam et',

  gone: 'Bu bağlantı artık çalışmıyor',
  goneText: 'Kullanıldı, süresi doldu ya da o zamandan beri bir şey değişti. Yenisini isteyin.',
  used: 'Zaten yapıldı',
  usedText: 'Bu bağlantı daha önce kullanıldı. Artık ona ihtiyacınız yok.',

  emailLetters: '@ işaretinden önce ä veya é gibi harfler içeren e-posta adresleri desteklenmiyor.',
  emailInvalid: 'ada@example.com gibi bir e-posta adresi girin.',
  codeWrong: 'Bu kod yanlış. En son e-postaya bakın.',
  characters: 'Parola, kullanılamayan bir karakter içeriyor.',
  tooShort: 'En az {minLength} karakter kullanın.',
  tooLong: 'En fazla 256 karakter kullanın.',
  tooCommon: 'Bu parolayı birçok kişi kullanıyor. Başka bir parola seçin.',
  isAddress: 'Parola olarak adresinizi ya da sitenin adını kullanmayın.',
  breached: 'Bu parola bir veri sızıntısından biliniyor. Başka bir parola seçin.',
  currentWrong: 'Bu, mevcut parolanız değil.',
  conflict: 'Parola başka bir istekle değiştirildi. Yeniden deneyin.',

  mailSignUpSubject: '{site} için e-posta adresinizi doğrulayın',
  mailSignUpText:
    'Birisi bu adresle {site} sitesine kaydoldu.\nHesabı oluşturmak için adresi bir saat içinde doğrulayın. Kaydolduğunuz tarayıcıda şu kodu da girebilirsiniz:\n{code}\nBu siz değilseniz e-postayı yok sayın. Hesap oluşturulmaz.',
  mailSignUpButton: 'E-posta adresini doğrula',
  mailExistsSubject: '{site} sitesinde zaten bir hesabınız var',
  mailExistsText:
    'Birisi, zaten hesabı olan bu adresle {site} sitesine kaydoldu.\nOturum açın ya da parolanızı unuttuysanız yeni bir parola seçin.\nBu siz değilseniz e-postayı yok sayın. Hiçbir şey değişmedi.',
  mailExistsButton: 'Oturum aç',
  mailResetSubject: '{site} için yeni bir parola seçin',
  mailResetText:
    'Birisi {site} hesabınız için yeni bir parola istedi.\nParolayı bir saat içinde seçin. Ardından tüm cihazlarda oturumunuz kapatılır.\nBu siz değilseniz e-postayı yok sayın. Parolanız olduğu gibi kalır.',
  mailResetButton: 'Yeni parola seç',
  mailConfirmSubject: '{site} sitesinde oturum açın',
  mailConfirmText:
    'Birisi {site} için yeni bir parola istedi. Bu hesabın adresi henüz doğrulanmadı.\nOturum açmak için adresi bir saat içinde doğrulayın. Ardından bir parola belirleyebilirsiniz.\nBu siz değilseniz e-postayı yok sayın.',
  mailConfirmButton: 'E-posta adresini doğrula',
  mailUnknownSubject: '{site} sitesinde hesap yok',
  mailUnknownText:
    'Birisi {site} için yeni bir parola istedi, ancak bu adresle bir hesap yok.\nBelki başka bir adresle kaydoldunuz.\nBu siz değilseniz e-postayı yok sayın.',
  mailUnknownButton: 'Hesap oluştur',
  mailChangedSubject: '{site} parolanız değiştirildi',
  mailChangedText:
    '{site} hesabınızın parolası {time} tarihinde {client} adresinden değiştirildi.\nBu siz değilseniz hemen yeni bir parola seçin. Bu, diğer herkesin oturumunu kapatır.',
  mailChangedButton: 'Yeni parola seç'
})
