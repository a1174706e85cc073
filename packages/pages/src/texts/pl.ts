import { counted, durations } from './duration.ts'
import type { Texts } from './texts.ts'

const count = counted('pl')
const countedLetters = (letters: number): string =>
  count(letters, { one: '# litera', few: '# litery', many: '# liter', other: '# litery' })

/** Polish. Durations are in the accusative, which "czekać" and "ważny przez" require. */
export const pl: Texts = {
  lang: 'pl',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Logowanie',
    signout: 'Wylogowanie',
    'verify-request': 'Sprawdź pocztę',
    confirm: 'Potwierdzenie logowania',
    error: 'Błąd',
    'start-again': 'Zacznijmy od nowa',
    'other-user': 'Już zalogowano',
    'used-link': 'Już zalogowano',
    'confirm-link': 'Połącz konta',
    welcome: 'Witamy'
  },
  failed: (title) => `Błąd: ${title}`,
  reference: (id) => `Numer zgłoszenia: ${id}`,
  support: 'Skontaktuj się z pomocą techniczną',
  duration: durations('pl', {
    second: { one: '# sekundę', few: '# sekundy', many: '# sekund', other: '# sekundy' },
    minute: { one: '# minutę', few: '# minuty', many: '# minut', other: '# minuty' },
    hour: { one: '# godzinę', few: '# godziny', many: '# godzin', other: '# godziny' },
    day: { one: '# dzień', few: '# dni', many: '# dni', other: '# dnia' }
  }),
  signIn: {
    heading: 'Logowanie',
    lead: (siteName) => `aby przejść do ${siteName}`,
    submit: (provider) => `Zaloguj się przez ${provider}`,
    byEmail: 'Wyślij mi e-mailem link do logowania',
    byEmailInstead: 'Wyślij mi zamiast tego link e-mailem',
    byCode: 'Wyślij mi e-mailem kod do logowania',
    byCodeInstead: 'Wyślij mi zamiast tego kod e-mailem',
    byCredentials: 'Zaloguj się za pomocą danych logowania',
    email: 'Adres e-mail',
    emailExample: 'nazwa@example.com',
    or: 'lub',
    none: 'Nie ma tu jeszcze żadnego sposobu logowania.',
    next: 'Kontynuuj',
    newHere: 'Pierwszy raz tutaj?',
    lastUsed: 'Ostatnio używane',
    showPassword: 'Pokaż hasło',
    more: 'Więcej sposobów logowania',
    continueAs: (user) => `Kontynuuj jako ${user}`,
    anotherAccount: 'Użyj innego konta',
    wrongPassword: {
      text: 'Nieprawidłowy adres e-mail lub hasło.',
      next: 'Proszę sprawdzić jedno i drugie i spróbować ponownie.'
    },
    limited: { text: 'Zbyt wiele prób.', next: 'Można też teraz zalogować się w inny sposób.' }
  },
  stepUp: {
    heading: 'Potwierdź, że to Ty',
    lead: 'Aby kontynuować, zaloguj się ponownie tym samym kontem.',
    repeat: 'Następnie wyślij formularz ponownie.',
    mail: (address) => `Wyślij kod na adres ${address}`,
    none: 'Nie ma tu żadnego sposobu, aby to potwierdzić.',
    another: 'Inny sposób',
    notNow: 'Nie teraz',
    wrongPassword: { text: 'Nieprawidłowe hasło.', next: 'Proszę spróbować ponownie.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Nie udało się dokończyć logowania.',
      next: 'Proszę spróbować ponownie lub zalogować się na inne konto.'
    },
    OAuthSignin: {
      text: 'Nie udało się rozpocząć logowania.',
      next: 'Proszę spróbować ponownie za chwilę lub zalogować się na inne konto.'
    },
    OAuthCallback: {
      text: 'Nie można było przyjąć odpowiedzi usługi logowania.',
      next: 'Proszę spróbować ponownie lub zalogować się na inne konto.'
    },
    OAuthCreateAccount: {
      text: 'Nie udało się utworzyć konta.',
      next: 'Proszę spróbować ponownie za chwilę lub zalogować się na inne konto.'
    },
    EmailCreateAccount: {
      text: 'Nie udało się utworzyć konta dla tego adresu e-mail.',
      next: 'Proszę spróbować ponownie za chwilę lub podać inny adres.'
    },
    Callback: {
      text: 'Podczas logowania coś poszło nie tak.',
      next: 'Proszę spróbować ponownie lub zalogować się na inne konto.'
    },
    OAuthAccountNotLinked: {
      text: 'To nie jest konto, którego używano tu wcześniej.',
      next: 'Aby potwierdzić tożsamość, proszę zalogować się na to samo konto co za pierwszym razem.'
    },
    EmailSignin: {
      text: 'Nie udało się wysłać wiadomości e-mail.',
      next: 'Proszę sprawdzić adres i za chwilę spróbować ponownie.'
    },
    CredentialsSignin: {
      text: 'Logowanie nie powiodło się.',
      next: 'Proszę sprawdzić, czy podane dane są poprawne.'
    },
    SessionRequired: {
      text: 'Aby zobaczyć tę stronę, trzeba się zalogować.',
      next: 'Po zalogowaniu nastąpi powrót do niej.'
    },
    UnmetRequirements: {
      text: 'Ten sposób logowania nie potwierdził wystarczająco dużo.',
      next: 'Zaloguj się tam ponownie lub użyj innego sposobu.'
    },
    DifferentUser: {
      text: 'To konto należy do kogoś innego lub jest tu nieznane.',
      next: 'Użyj konta zalogowanej osoby lub najpierw się wyloguj.'
    },
    Default: {
      text: 'Nie można się zalogować.',
      next: 'Proszę spróbować ponownie lub zalogować się na inne konto.'
    }
  },
  reasons: {
    'session-expired': { text: 'Sesja wygasła.', next: 'Proszę zalogować się ponownie.' },
    'signed-out': {
      text: 'Wylogowano.',
      next: 'Aby kontynuować, proszę zalogować się ponownie.'
    },
    invalid: {
      text: 'Proszę podać prawidłowy adres e-mail.',
      next: 'Proszę sprawdzić, czy nie ma w nim literówek.'
    },
    'non-ascii': {
      text: 'Adresy e-mail z literami takimi jak ä lub é przed znakiem @ nie są obsługiwane.',
      next: 'Użyj innego adresu.'
    },
    captcha: {
      text: 'Nie udało się sprawdzić, czy jesteś człowiekiem.',
      next: 'Spróbuj ponownie.'
    },
    cancelled: {
      text: 'Logowanie zostało anulowane.',
      next: 'Nic się nie zmieniło. Można zalogować się w dowolnej chwili.'
    },
    expired: { text: 'Logowanie trwało zbyt długo.', next: 'Proszę zacząć od nowa.' },
    unavailable: {
      text: 'Usługa logowania chwilowo nie odpowiada.',
      next: 'Proszę spróbować ponownie za kilka minut.'
    },
    misconfigured: {
      text: 'Ten sposób logowania nie jest poprawnie skonfigurowany.',
      next: 'Prosimy powiadomić osoby prowadzące tę stronę.'
    }
  },
  signOut: {
    heading: 'Wylogowanie',
    question: 'Czy na pewno chcesz się wylogować?',
    submit: 'Wyloguj się',
    stay: 'Nie wylogowuj'
  },
  verifyRequest: {
    heading: 'Sprawdź pocztę',
    link: 'Wysłaliśmy e-mail z linkiem do logowania.',
    mail: 'Wysłaliśmy e-mail potrzebny do logowania. Proszę go otworzyć i wrócić tutaj, aby użyć podanego w nim kodu.',
    codeOnly: 'Wysłaliśmy e-mail z kodem. Proszę wpisać go tutaj, aby się zalogować.',
    codeElsewhere: 'Wysłaliśmy e-mail z kodem. Proszę wpisać go w przeglądarce, w której o niego poproszono.',
    code: 'Kod z wiadomości e-mail',
    codeHint: (letters) => `${countedLetters(letters)}. Wielkość liter, spacje i kreski nie mają znaczenia.`,
    wrong: {
      text: 'Ten kod jest nieprawidłowy.',
      next: 'Proszę porównać go z najnowszą wiadomością i spróbować ponownie.'
    },
    triesLeft: (left) => (left === 1 ? 'Pozostała 1 próba.' : `Pozostały ${left} próby.`),
    spent: 'Zbyt wiele błędnych kodów. Ten e-mail nie jest już ważny.',
    sendNew: (address) => `Wyślij nowy e-mail na adres ${address}`,
    submit: 'Zaloguj się',
    missing: 'Po minucie nadal nic nie przyszło? Warto zajrzeć do folderu ze spamem.',
    again: 'Poproś o nowy e-mail',
    otherAddress: 'Użyj innego adresu'
  },
  confirm: {
    heading: 'Czy to Ty?',
    lead: (siteName) => `Otwarto link, który loguje do ${siteName} jako:`,
    submit: 'Tak, zaloguj mnie',
    warning: 'Jeśli to nie Ty prosisz o tę wiadomość, zamknij stronę. Nikt nie został zalogowany.'
  },
  errors: {
    Configuration: {
      heading: 'Błąd serwera',
      text: 'Serwer nie jest poprawnie skonfigurowany.',
      next: 'To nie Twoja wina. Proszę spróbować później lub powiadomić osoby prowadzące tę stronę.',
      action: 'Wróć do logowania'
    },
    AccessDenied: {
      heading: 'Brak dostępu',
      text: 'Nie masz uprawnień, aby się zalogować.',
      next: 'Jeśli masz inne konto, spróbuj go użyć.',
      action: 'Zaloguj się'
    },
    PermissionRequired: {
      heading: 'Brak uprawnień',
      text: 'Nie masz do tego uprawnień.',
      next: 'Jeśli masz inne konto z tymi uprawnieniami, użyj go.',
      action: 'Użyj innego konta'
    },
    Verification: {
      heading: 'Nie można się zalogować',
      text: 'Ten link jest już nieważny. Być może został użyty albo wygasł.',
      next: 'Aby otrzymać nowy, proszę zalogować się jeszcze raz.',
      action: 'Zaloguj się'
    },
    ImpersonationForbidden: {
      heading: 'Nie jako inny użytkownik',
      text: 'To jest sesja w imieniu innego użytkownika. Tylko ten użytkownik może to zrobić.',
      next: 'Zakończ działanie w imieniu tego użytkownika, a potem zaloguj się na swoje konto.',
      action: 'Wróć do logowania'
    },
    UserSuspended: {
      heading: 'Konto zawieszone',
      text: 'To konto zostało zawieszone i nie można się na nie zalogować.',
      next: 'Jeśli uważasz, że to pomyłka, skontaktuj się z osobami prowadzącymi tę stronę.',
      action: 'Wróć do logowania'
    },
    RateLimited: {
      heading: 'Zbyt wiele prób',
      text: 'W krótkim czasie było wiele prób logowania. Robimy przerwę, aby chronić konta.',
      next: 'Proszę chwilę poczekać i spróbować ponownie.',
      action: 'Wróć do logowania'
    },
    StoreConflict: {
      heading: 'Dane się nie zgadzają',
      text: 'Ta strona ma już inne dane, które są z tym sprzeczne. Nic nie zostało zapisane.',
      next: 'Skontaktuj się z osobami prowadzącymi tę stronę.',
      action: 'Wróć do logowania'
    },
    UserReferenced: {
      heading: 'Konto jest nadal potrzebne',
      text: 'Tego konta nie można usunąć, ponieważ ta strona ma jeszcze dane, które są z nim powiązane. Nic nie zostało usunięte ani zakończone.',
      next: 'Skontaktuj się z osobami prowadzącymi tę stronę.',
      action: 'Wróć do logowania'
    },
    StoreUnavailable: {
      heading: 'Zaraz wracamy',
      text: 'Logowanie nie jest teraz możliwe, ponieważ część tej strony nie odpowiada.',
      next: 'Nie nastąpiło wylogowanie. Proszę spróbować ponownie za minutę.',
      action: 'Spróbuj ponownie'
    },
    NotFound: {
      heading: 'Nie znaleziono strony',
      text: 'Pod tym adresem nie ma żadnej strony.',
      next: 'Adres może zawierać błąd lub być nieaktualny.',
      action: 'Wróć do logowania'
    },
    Default: {
      heading: 'Błąd',
      text: 'Coś poszło nie tak.',
      next: 'Proszę spróbować ponownie. Jeśli to się powtórzy, prosimy powiadomić osoby prowadzące tę stronę.',
      action: 'Zaloguj się'
    }
  },
  wait: (duration) => `Proszę poczekać ${duration} i spróbować ponownie.`,
  startAgain: {
    heading: 'Zacznijmy od nowa',
    text: 'Logowanie trwało zbyt długo albo rozpoczęto je w innej przeglądarce. Nic się nie zmieniło.'
  },
  otherUser: {
    heading: 'Już zalogowano',
    user: 'W tej przeglądarce jest teraz zalogowane konto:',
    text: (provider) =>
      `Wcześniej rozpoczęto logowanie przez ${provider}. Zostało zatrzymane, aby nie pomylić obu kont. Można kontynuować albo zacząć od nowa.`,
    stay: 'Kontynuuj'
  },
  confirmLink: {
    heading: 'Połączyć to konto?',
    user: 'Zalogowano jako',
    account: (provider) => `Twoje konto ${provider}:`,
    text: (provider) =>
      `Potem każdy, kto może zalogować się na to konto ${provider}, będzie mógł zalogować się także tutaj. Kontynuuj tylko, jeśli oba należą do Ciebie.`,
    submit: 'Połącz',
    stay: 'Nie teraz'
  },
  toSite: (siteName) => `Wróć do ${siteName}`,
  usedLink: {
    heading: 'Już zalogowano',
    user: 'Zalogowano jako',
    text: 'Ten link został już użyty albo wygasł. Nie jest już potrzebny.',
    submit: 'Dalej'
  },
  welcome: {
    heading: (user) => (user === null ? 'Witamy' : `Witamy, ${user}`),
    text: (siteName) => `Konto w ${siteName} jest gotowe.`,
    submit: 'Dalej'
  },
  mail: {
    subject: (siteName) => `Logowanie do ${siteName}`,
    heading: (siteName) => `Logowanie do ${siteName}`,
    identifier: 'Logujesz się jako',
    submit: 'Zaloguj się',
    link: 'Jeśli przycisk nie działa, proszę otworzyć ten adres w przeglądarce:',
    code: 'Proszę wpisać ten kod na stronie, na której poproszono o tę wiadomość:',
    orCode: 'Można też wpisać ten kod na stronie, na której poproszono o tę wiadomość:',
    expiry: (duration) => `Ważne przez ${duration} i tylko jeden raz.`,
    requested: (details) => `Prośba o wiadomość: ${details}`,
    ignore: 'Jeśli to nie Ty prosisz o tę wiadomość, zignoruj ją. Bez niej nikt się nie zaloguje.'
  }
}
