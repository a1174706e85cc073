import { pl as mailedCode } from '../../mail/texts/pl.ts'
import type { TextKey } from './en.ts'

export const pl = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'pl',
  summaryOn: 'Włączony',
  toAccount: 'Wróć do konta',
  summaryOff: 'Wyłączony',
  section: 'Weryfikacja dwuetapowa',
  factorsText:
    'Z weryfikacją dwuetapową nie zaloguje się nikt, kto tylko zna Twoje hasło albo tylko czyta Twoją pocztę.',
  app: 'Aplikacja uwierzytelniająca',
  appAdded: 'Skonfigurowano: {date}.',
  appUsed: 'Ostatnie użycie: {date}.',
  noApp: 'Nie skonfigurowano aplikacji uwierzytelniającej.',
  start: 'Skonfiguruj aplikację uwierzytelniającą',
  remove: 'Usuń aplikację uwierzytelniającą',
  removeText: 'Kody odzyskiwania także zostaną usunięte, a wszędzie indziej nastąpi wylogowanie.',
  removeAlone: 'Wszędzie indziej nastąpi wylogowanie.',
  codesLeft: 'Pozostałe kody odzyskiwania: {left}.',
  codesFew: 'Masz już niewiele kodów odzyskiwania. Utwórz nowe.',
  codesMissing: 'Nie masz kodów odzyskiwania. Utwórz nowe.',
  createCodes: 'Utwórz nowe kody odzyskiwania',
  createCodesText: 'Dotychczasowe kody przestaną działać.',
  verify: 'Potwierdź, że to Ty, aby wprowadzić zmiany',
  anyCode: 'Kod z aplikacji albo kod odzyskiwania',

  enroll: 'Skonfiguruj aplikację uwierzytelniającą',
  enrollText: 'Dodaj ten klucz do aplikacji uwierzytelniającej na telefonie: zeskanuj kod QR albo skopiuj klucz.',
  enrollRequired: 'Ta witryna wymaga weryfikacji dwuetapowej.',
  qrCode: 'Kod QR dla aplikacji uwierzytelniającej',
  key: 'Klucz do aplikacji',
  code: 'Kod z aplikacji',
  codeHint: '{digits} cyfr',
  confirm: 'Potwierdź',
  confirmAddress: 'Potwierdź adres e-mail',
  mailText: 'Najpierw odbierz kod e-mailem, aby nikt poza Tobą nie mógł skonfigurować aplikacji.',

  codes: 'Twoje kody odzyskiwania',
  codesText:
    'Jednym z tych kodów możesz zalogować się zamiast aplikacją, na przykład po utracie telefonu. Każdy działa tylko raz. Przechowuj je w bezpiecznym miejscu: są wyświetlane tylko teraz.',
  codesShown: 'Kody odzyskiwania zostały już wyświetlone. Jeśli nie są zapisane, utwórz nowe po zalogowaniu.',
  codesDownload: 'Pobierz kody',
  codesSaved: 'Kody są zapisane',
  back: 'Weryfikacja dwuetapowa',

  challenge: 'Potwierdź, że to Ty',
  challengeText: 'Wpisz kod, który aplikacja uwierzytelniająca teraz wyświetla.',
  challengePasskey: 'Użyj klucza dostępu, aby kontynuować.',
  challengeOther: 'Użyj klucza dostępu albo kodu odzyskiwania, aby kontynuować.',
  challengeRecovery: 'Użyj kodu odzyskiwania, aby kontynuować.',
  challengeNone: 'Zaloguj się w inny sposób albo skontaktuj się z osobami prowadzącymi tę stronę.',
  exhaustedText: 'Dla Twojego konta wpisano wiele błędnych kodów, dlatego potrzebny jest także kod z e-maila.',
  continue: 'Dalej',
  trust: 'Nie pytaj ponownie w tej przeglądarce przez {days}',
  usePasskey: 'Użyj klucza dostępu',
  needsScript: 'Klucze dostępu wymagają JavaScriptu i przeglądarki, która je obsługuje.',
  useRecoveryCode: 'Użyj kodu odzyskiwania',
  recoveryCode: 'Kod odzyskiwania',
  recoveryHint: 'Dziesięć liter i cyfr',

  codeWrong: 'Kod jest błędny, został już użyty albo wygasł. Wpisz ten, który aplikacja teraz wyświetla.',
  recoveryWrong: 'Ten kod odzyskiwania jest błędny albo został już użyty.',
  anyWrong: 'Kod jest błędny albo został już użyty.',
  passkeyWrong: 'Nie udało się użyć klucza dostępu. Spróbuj ponownie albo użyj innego sposobu.',
  passkeyChanged:
    'Ten klucz dostępu zmienił się od czasu dodania. Użyj innego sposobu, a potem usuń go i dodaj ponownie.',
  exhausted: 'Wpisano zbyt wiele błędnych kodów, dlatego kod z aplikacji nie wystarczy.',
  expired: 'Trwało to zbyt długo. Zacznij od nowa.',
  conflict: 'Weryfikacja dwuetapowa została zmieniona przez inne żądanie. Spróbuj ponownie.',
  unverified: 'Aby skonfigurować weryfikację dwuetapową, najpierw potwierdź adres e-mail.',

  unavailable: 'Nie możesz skonfigurować weryfikacji dwuetapowej',
  unavailableText: 'Konto, na które nastąpiło zalogowanie, nie jest tu przechowywane.',
  signIn: 'Zaloguj się',

  step: 'Krok {step} z 3',
  openApp: 'Otwórz w aplikacji uwierzytelniającej',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  goBack: 'Wróć',
  codesPrint: 'Drukuj',
  anotherAccount: 'Użyj innego konta',
  lost: 'Nie mam już telefonu ani kodów',
  lostTitle: 'Brak telefonu i kodów?',
  lostFactor: 'Brak telefonu lub klucza dostępu?',
  lostText: 'Najpierw poszukaj kodów odzyskiwania: w pliku {file}, na papierze albo w menedżerze haseł.',
  lostHelp:
    'Jeśli nie możesz ich znaleźć, skontaktuj się z osobami prowadzącymi tę stronę. Gdy upewnią się, że to Ty, mogą wyłączyć weryfikację dwuetapową dla Twojego konta.',
  lostContact:
    'Skontaktuj się z osobami prowadzącymi tę stronę. Gdy upewnią się, że to Ty, mogą wyłączyć weryfikację dwuetapową dla Twojego konta.',
  support: 'Skontaktuj się z pomocą techniczną',
  recoveryCodes: 'Kody odzyskiwania',
  recoveryText: 'Kodem odzyskiwania możesz zalogować się po utracie telefonu. Każdy działa tylko raz.',
  noCodes: 'Nie masz jeszcze kodów odzyskiwania.',
  passkeys: 'Klucze dostępu',
  passkeysNotAsked:
    'Bez aplikacji uwierzytelniającej klucz dostępu nie jest wymagany przy logowaniu w inny sposób. Skonfiguruj aplikację, aby włączyć weryfikację dwuetapową.',

  mailCodeSubject: 'Twój kod do {site}',
  mailCodeText:
    'Ktoś loguje się na Twoje konto w {site} lub konfiguruje dla niego aplikację uwierzytelniającą albo klucz dostępu. Aby kontynuować, potrzebny jest ten kod:\n{code}\nJeśli to nie Ty, nie podawaj nikomu kodu i zmień to, czym się logujesz.',
  mailAddedSubject: 'Włączono weryfikację dwuetapową dla Twojego konta w {site}',
  mailAddedText:
    'Aplikacja uwierzytelniająca została skonfigurowana dla Twojego konta w {site} {time}, z adresu {client}.\nJeśli to nie Ty, skontaktuj się teraz z pomocą techniczną {site}.',
  mailRemovedSubject: 'Wyłączono weryfikację dwuetapową dla Twojego konta w {site}',
  mailRemovedText:
    'Aplikacja uwierzytelniająca i kody odzyskiwania zostały usunięte z Twojego konta w {site} {time}, z adresu {client}.\nJeśli to nie Ty, zaloguj się i skonfiguruj teraz aplikację uwierzytelniającą.',
  mailAppRemovedSubject: 'Aplikacja uwierzytelniająca została usunięta z Twojego konta w {site}',
  mailAppRemovedText:
    'Aplikacja uwierzytelniająca została usunięta z Twojego konta w {site} {time}, z adresu {client}.\nJeśli to nie Ty, zaloguj się i skonfiguruj teraz aplikację uwierzytelniającą.',
  mailUsedSubject: 'Użyto kodu odzyskiwania do Twojego konta w {site}',
  mailUsedText:
    'Kod odzyskiwania do Twojego konta w {site} został użyty {time}, z adresu {client}. Pozostałe kody odzyskiwania: {left}.\nJeśli to nie Ty, zaloguj się, zmień to, czym się logujesz, i utwórz nowe kody odzyskiwania.',
  mailRenewedSubject: 'Utworzono nowe kody odzyskiwania do Twojego konta w {site}',
  mailRenewedText:
    'Nowe kody odzyskiwania do Twojego konta w {site} zostały utworzone {time}, z adresu {client}. Dotychczasowe kody już nie działają.\nJeśli to nie Ty, zaloguj się, zmień to, czym się logujesz, i utwórz nowe kody odzyskiwania.',
  mailResetSubject: 'Zresetowano weryfikację dwuetapową Twojego konta w {site}',
  mailResetText:
    'Pomoc techniczna {site} usunęła aplikację uwierzytelniającą i kody odzyskiwania z Twojego konta {time}. Wszędzie nastąpiło wylogowanie.\nJeśli to nie była Twoja prośba, skontaktuj się teraz z pomocą techniczną.',
  mailButton: 'Sprawdź weryfikację dwuetapową'
})
