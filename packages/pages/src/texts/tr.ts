import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Turkish. Names are placed so that no suffix depends on them. */
export const tr: Texts = {
  lang: 'tr',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Oturum aç',
    signout: 'Oturumu kapat',
    'verify-request': 'E-postanıza bakın',
    confirm: 'Oturum açmayı onaylayın',
    error: 'Hata',
    'start-again': 'Yeniden başlayın',
    'other-user': 'Oturum zaten açık',
    'used-link': 'Oturum zaten açık',
    'confirm-link': 'Hesapları bağla',
    welcome: 'Hoş geldiniz'
  },
  failed: (title) => `Hata: ${title}`,
  reference: (id) => `Başvuru numarası: ${id}`,
  support: 'Destek ekibiyle iletişime geç',
  duration: durations('tr', {
    second: { one: '# saniye', other: '# saniye' },
    minute: { one: '# dakika', other: '# dakika' },
    hour: { one: '# saat', other: '# saat' },
    day: { one: '# gün', other: '# gün' }
  }),
  signIn: {
    heading: 'Oturum açın',
    lead: (siteName) => `${siteName} sitesine devam etmek için`,
    submit: (provider) => `${provider} ile oturum aç`,
    byEmail: 'Bana e-postayla oturum açma bağlantısı gönder',
    byEmailInstead: 'Bunun yerine e-postayla bağlantı gönder',
    byCode: 'Bana e-postayla oturum açma kodu gönder',
    byCodeInstead: 'Bunun yerine e-postayla kod gönder',
    byCredentials: 'Giriş bilgileriyle oturum aç',
    email: 'E-posta adresi',
    emailExample: 'ad@example.com',
    or: 'veya',
    none: 'Burada henüz oturum açmanın bir yolu yok.',
    next: 'Devam et',
    newHere: 'Burada yeni misiniz?',
    lastUsed: 'Son kullanılan',
    showPassword: 'Parolayı göster',
    more: 'Diğer oturum açma yolları',
    continueAs: (user) => `${user} olarak devam et`,
    anotherAccount: 'Başka bir hesap kullan',
    wrongPassword: { text: 'E-posta adresi veya parola yanlış.', next: 'İkisini de kontrol edip yeniden deneyin.' },
    limited: { text: 'Çok fazla deneme.', next: 'Ya da şimdi başka bir yolla oturum açın.' }
  },
  stepUp: {
    heading: 'Siz olduğunuzu doğrulayın',
    lead: 'Devam etmek için aynı hesapla yeniden oturum açın.',
    repeat: 'Ardından formu yeniden gönderin.',
    mail: (address) => `${address} adresine kod gönder`,
    none: 'Burada bunu doğrulamanın bir yolu yok.',
    another: 'Başka bir yol',
    notNow: 'Şimdi değil',
    wrongPassword: { text: 'Parola yanlış.', next: 'Yeniden deneyin.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Oturum açma tamamlanamadı.',
      next: 'Yeniden deneyin veya başka bir hesapla oturum açın.'
    },
    OAuthSignin: {
      text: 'Oturum açma başlatılamadı.',
      next: 'Biraz sonra yeniden deneyin veya başka bir hesapla oturum açın.'
    },
    OAuthCallback: {
      text: 'Oturum açma hizmetinin yanıtı kabul edilemedi.',
      next: 'Yeniden deneyin veya başka bir hesapla oturum açın.'
    },
    OAuthCreateAccount: {
      text: 'Sizin için bir hesap oluşturulamadı.',
      next: 'Biraz sonra yeniden deneyin veya başka bir hesapla oturum açın.'
    },
    EmailCreateAccount: {
      text: 'Bu e-posta adresi için bir hesap oluşturulamadı.',
      next: 'Biraz sonra yeniden deneyin veya başka bir adres kullanın.'
    },
    Callback: {
      text: 'Oturumunuz açılırken bir sorun oluştu.',
      next: 'Yeniden deneyin veya başka bir hesapla oturum açın.'
    },
    OAuthAccountNotLinked: {
      text: 'Bu, burada daha önce kullandığınız hesap değil.',
      next: 'Kimliğinizi doğrulamak için ilk kullandığınız hesapla oturum açın.'
    },
    EmailSignin: {
      text: 'E-posta gönderilemedi.',
      next: 'Adresi kontrol edip biraz sonra yeniden deneyin.'
    },
    CredentialsSignin: {
      text: 'Oturum açılamadı.',
      next: 'Girdiğiniz bilgilerin doğru olduğunu kontrol edin.'
    },
    SessionRequired: {
      text: 'Bu sayfayı görmek için lütfen oturum açın.',
      next: 'Sonra bu sayfaya döneceksiniz.'
    },
    UnmetRequirements: {
      text: 'Bu oturum açma yöntemi yeterli doğrulama sağlamadı.',
      next: 'Orada yeniden oturum açın veya başka bir yöntem kullanın.'
    },
    DifferentUser: {
      text: 'Bu hesap başka birine ait veya burada tanınmıyor.',
      next: 'Oturum açmış kullanıcının bir hesabını kullanın veya önce oturumu kapatın.'
    },
    Default: {
      text: 'Oturum açılamıyor.',
      next: 'Yeniden deneyin veya başka bir hesapla oturum açın.'
    }
  },
  reasons: {
    'session-expired': { text: 'Oturumunuzun süresi doldu.', next: 'Yeniden oturum açın.' },
    'signed-out': {
      text: 'Oturumunuz kapatıldı.',
      next: 'Devam etmek için yeniden oturum açın.'
    },
    invalid: {
      text: 'Geçerli bir e-posta adresi girin.',
      next: 'Yazım hatası olmadığını kontrol edin.'
    },
    'non-ascii': {
      text: '@ işaretinden önce ä veya é gibi harfler içeren e-posta adresleri desteklenmiyor.',
      next: 'Başka bir adres kullanın.'
    },
    captcha: {
      text: 'İnsan olduğunuz doğrulanamadı.',
      next: 'Yeniden deneyin.'
    },
    cancelled: {
      text: 'Oturum açmayı iptal ettiniz.',
      next: 'Hiçbir şey değişmedi. İstediğiniz zaman oturum açabilirsiniz.'
    },
    expired: { text: 'Oturum açma çok uzun sürdü.', next: 'Lütfen yeniden başlayın.' },
    unavailable: {
      text: 'Oturum açma hizmeti şu anda yanıt vermiyor.',
      next: 'Birkaç dakika sonra yeniden deneyin.'
    },
    misconfigured: {
      text: 'Bu oturum açma yöntemi doğru ayarlanmamış.',
      next: 'Lütfen bu sitenin yöneticilerine haber verin.'
    }
  },
  signOut: {
    heading: 'Oturumu kapatın',
    question: 'Oturumu kapatmak istediğinizden emin misiniz?',
    submit: 'Oturumu kapat',
    stay: 'Oturum açık kalsın'
  },
  verifyRequest: {
    heading: 'E-postanıza bakın',
    link: 'E-posta adresinize bir oturum açma bağlantısı gönderildi.',
    mail: 'Adresinize bir oturum açma e-postası gönderildi. E-postayı açın; içindeki kodu kullanmak isterseniz buraya dönün.',
    codeOnly: 'E-posta adresinize bir kod gönderildi. Oturum açmak için kodu buraya girin.',
    codeElsewhere: 'E-posta ile bir kod gönderildi. Kodu, onu istediğiniz tarayıcıda girin.',
    code: 'E-postadaki kod',
    codeHint: (letters) => `${letters} harf. Büyük-küçük harf, boşluk ve kısa çizgi fark etmez.`,
    wrong: { text: 'Bu kod doğru değil.', next: 'En yeni e-postayla karşılaştırıp yeniden deneyin.' },
    triesLeft: (left) => (left === 1 ? '1 deneme kaldı.' : `${left} deneme kaldı.`),
    spent: 'Çok fazla yanlış kod girildi; bu e-posta artık geçerli değil.',
    sendNew: (address) => `${address} adresine yenisini gönder`,
    submit: 'Oturum aç',
    missing: 'Bir dakika geçti ve hâlâ bir şey gelmedi mi? İstenmeyen e-posta klasörüne bakın.',
    again: 'Yeni e-posta iste',
    otherAddress: 'Başka bir adres kullan'
  },
  confirm: {
    heading: 'Bu siz misiniz?',
    lead: (siteName) => `${siteName} sitesinde şu hesapla oturum açan bir bağlantı açtınız:`,
    submit: 'Evet, oturumumu aç',
    warning: 'Bu e-postayı siz istemediyseniz bu sayfayı kapatın. Henüz kimsenin oturumu açılmadı.'
  },
  errors: {
    Configuration: {
      heading: 'Sunucu hatası',
      text: 'Sunucunun ayarlarında bir sorun var.',
      next: 'Bu sizin hatanız değil. Daha sonra yeniden deneyin veya bu sitenin yöneticilerine haber verin.',
      action: 'Oturum açmaya dön'
    },
    AccessDenied: {
      heading: 'Erişim reddedildi',
      text: 'Oturum açma izniniz yok.',
      next: 'Başka bir hesabınız varsa onunla deneyin.',
      action: 'Oturum aç'
    },
    PermissionRequired: {
      heading: 'İzniniz yok',
      text: 'Bunun için izniniz yok.',
      next: 'Bu izne sahip başka bir hesabınız varsa onu kullanın.',
      action: 'Başka bir hesap kullan'
    },
    Verification: {
      heading: 'Oturum açılamıyor',
      text: 'Bu oturum açma bağlantısı artık geçerli değil. Daha önce kullanılmış veya süresi dolmuş olabilir.',
      next: 'Yeni bir bağlantı almak için yeniden oturum açın.',
      action: 'Oturum aç'
    },
    ImpersonationForbidden: {
      heading: 'Başka bir kullanıcı olarak yapılamaz',
      text: 'Başka bir kullanıcı olarak oturum açtınız. Bunu yalnızca o kullanıcı yapabilir.',
      next: 'Bu kullanıcı olarak işlem yapmayı bırakın, ardından kendi hesabınızla oturum açın.',
      action: 'Oturum açmaya dön'
    },
    UserSuspended: {
      heading: 'Hesap askıya alındı',
      text: 'Bu hesap askıya alındığı için bu hesapla oturum açamazsınız.',
      next: 'Bunun bir hata olduğunu düşünüyorsanız bu sitenin yöneticileriyle iletişime geçin.',
      action: 'Oturum açmaya dön'
    },
    RateLimited: {
      heading: 'Çok fazla deneme',
      text: 'Kısa sürede çok sayıda oturum açma denemesi yapıldı. Hesapları korumak için ara veriyoruz.',
      next: 'Lütfen biraz bekleyip yeniden deneyin.',
      action: 'Oturum açmaya dön'
    },
    StoreConflict: {
      heading: 'Veriler uyuşmuyor',
      text: 'Bu sitede bununla çelişen başka veriler var. Hiçbir şey kaydedilmedi.',
      next: 'Lütfen bu sitenin yöneticileriyle iletişime geçin.',
      action: 'Oturum açmaya dön'
    },
    UserReferenced: {
      heading: 'Hesap hâlâ kullanılıyor',
      text: 'Bu sitede hâlâ bu hesaba bağlı veriler olduğu için bu hesap silinemiyor. Hiçbir şey silinmedi veya kapatılmadı.',
      next: 'Lütfen bu sitenin yöneticileriyle iletişime geçin.',
      action: 'Oturum açmaya dön'
    },
    StoreUnavailable: {
      heading: 'Birazdan dönüyoruz',
      text: 'Bu sitenin bir bölümü yanıt vermediği için şu anda oturum açılamıyor.',
      next: 'Oturumunuz kapatılmadı. Lütfen bir dakika sonra yeniden deneyin.',
      action: 'Yeniden dene'
    },
    NotFound: {
      heading: 'Sayfa bulunamadı',
      text: 'Bu adreste bir sayfa yok.',
      next: 'Adres yanlış yazılmış veya artık geçersiz olabilir.',
      action: 'Oturum açmaya dön'
    },
    Default: {
      heading: 'Hata',
      text: 'Bir sorun oluştu.',
      next: 'Lütfen yeniden deneyin. Sorun sürerse bu sitenin yöneticilerine haber verin.',
      action: 'Oturum aç'
    }
  },
  wait: (duration) => `Lütfen ${duration} bekleyip yeniden deneyin.`,
  startAgain: {
    heading: 'Yeniden başlayalım',
    text: 'Oturum açma çok uzun sürdü veya başka bir tarayıcıda başlatıldı. Hiçbir şey değişmedi.'
  },
  otherUser: {
    heading: 'Oturumunuz zaten açık',
    user: 'Bu tarayıcıda şu anda açık olan oturum:',
    text: (provider) =>
      `Bundan önce ${provider} ile oturum açmaya başlamıştınız. İki oturum karışmasın diye bu işlem durduruldu. Böyle devam edin veya yeniden başlayın.`,
    stay: 'Böyle devam et'
  },
  confirmLink: {
    heading: 'Bu hesap bağlansın mı?',
    user: 'Şu kullanıcı olarak oturum açtınız:',
    account: (provider) => `${provider} hesabınız:`,
    text: (provider) =>
      `Bundan sonra bu ${provider} hesabında oturum açabilen kişi burada da oturum açabilir. Yalnızca ikisi de sizinse devam edin.`,
    submit: 'Bağla',
    stay: 'Şimdi değil'
  },
  toSite: (siteName) => `${siteName} sitesine dön`,
  usedLink: {
    heading: 'Oturumunuz zaten açık',
    user: 'Şu kullanıcı olarak oturum açtınız:',
    text: 'Bu oturum açma bağlantısı daha önce kullanıldı veya süresi doldu. Artık ona ihtiyacınız yok.',
    submit: 'Devam et'
  },
  welcome: {
    heading: (user) => (user === null ? 'Hoş geldiniz' : `Hoş geldiniz, ${user}`),
    text: (siteName) => `${siteName} sitesindeki hesabınız hazır.`,
    submit: 'Devam et'
  },
  mail: {
    subject: (siteName) => `Oturum açma: ${siteName}`,
    heading: (siteName) => `Oturum açma: ${siteName}`,
    identifier: 'Oturum açacağınız hesap',
    submit: 'Oturum aç',
    link: 'Düğme çalışmazsa bu adresi tarayıcınızda açın:',
    code: 'Bu kodu, bu e-postayı istediğiniz sayfaya girin:',
    orCode: 'Ya da bu kodu, bu e-postayı istediğiniz sayfaya girin:',
    expiry: (duration) => `${duration} boyunca ve yalnızca bir kez geçerlidir.`,
    requested: (details) => `İstek: ${details}`,
    ignore: 'Bu e-postayı siz istemediyseniz dikkate almayın. Bu e-posta olmadan kimse oturum açamaz.'
  }
}
