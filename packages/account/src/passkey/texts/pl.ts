import { pl as mailedCode } from '../../mail/texts/pl.ts'
import type { TextKey } from './en.ts'

export const pl = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'pl',
  name: 'Klucz dostępu',
  signIn: 'Zaloguj się kluczem dostępu',
  signInText: 'Urządzenie poprosi o odcisk palca, twarz lub blokadę ekranu.',
  needsScript: 'Klucze dostępu wymagają JavaScriptu i przeglądarki, która je obsługuje.',
  otherWays: 'Inne sposoby logowania',
  noneHere: 'Nie ma tu klucza dostępu? Użyj telefonu albo innego sposobu.',
  usePhone: 'Użyj telefonu',
  offer: 'Następnym razem zaloguj się szybciej',
  offerText: 'Utwórz klucz dostępu i loguj się odciskiem palca, twarzą lub blokadą ekranu urządzenia.',
  notNow: 'Nie teraz',
  neverAsk: 'Nie pytaj ponownie',

  summary: '{names}',
  toAccount: 'Wróć do konta',
  summaryNone: 'Brak kluczy dostępu',
  passkeys: 'Klucze dostępu',
  passkeysText: 'Zamiast hasłem zaloguj się odciskiem palca, twarzą lub blokadą ekranu urządzenia.',
  synced: 'Dostępny na kilku urządzeniach.',
  local: 'Na jednym urządzeniu.',
  createdAt: 'Dodano: {date}.',
  usedAt: 'Ostatnie użycie: {date}.',
  add: 'Dodaj klucz dostępu',
  verify: 'Potwierdź, że to Ty, aby wprowadzić zmiany',
  notCreated: 'Nie utworzono klucza dostępu: anulowano albo trwało to zbyt długo.',
  existsText: 'To urządzenie ma już klucz dostępu do Twojego konta.',
  existsNext: 'Możesz się nim zalogować.',
  expired: 'Trwało to zbyt długo. Spróbuj ponownie.',
  failed: 'Nie udało się dodać klucza dostępu. Klucze dostępu wymagają JavaScriptu i przeglądarki, która je obsługuje.',
  exists: 'Ten klucz dostępu został już dodany.',
  tooMany: 'Osiągnięto maksymalną liczbę kluczy dostępu. Usuń jeden, aby dodać inny.',
  unverified: 'Aby dodać klucz dostępu, najpierw potwierdź adres e-mail.',
  mailText:
    'Aby klucz dostępu służył także do weryfikacji dwuetapowej, najpierw odbierz kod e-mailem. Bez kodu jest tylko sposobem logowania.',

  label: 'Nazwa',
  save: 'Zapisz nazwę',
  remove: 'Usuń klucz dostępu',
  removeText: 'Wszędzie indziej nastąpi wylogowanie. Usuń klucz dostępu także na swoim urządzeniu.',
  nameMissing: 'Wpisz nazwę.',
  conflict: 'Klucz dostępu został zmieniony przez inne żądanie. Spróbuj ponownie.',
  lastWayIn: 'To Twój jedyny sposób logowania. Dodaj inny, zanim usuniesz ten klucz.',
  back: 'Wszystkie klucze dostępu',
  unavailable: 'Nie możesz mieć kluczy dostępu',
  unavailableText: 'Konto, na które nastąpiło zalogowanie, nie jest tu przechowywane.',

  unknownText: 'Ten klucz dostępu nie jest tu znany.',
  unknownNext: 'Być może został usunięty. Użyj innego albo zaloguj się w inny sposób.',
  changedText: 'Ten klucz dostępu zmienił się od czasu dodania.',
  changedNext: 'Zaloguj się w inny sposób, usuń go i dodaj ponownie.',
  expiredText: 'Logowanie kluczem dostępu trwało zbyt długo.',
  expiredNext: 'Spróbuj ponownie.',

  createAccount: 'Utwórz konto z kluczem dostępu',
  signUpText: 'Otrzymasz e-mail, aby potwierdzić adres. Konto powstanie dopiero potem.',
  email: 'Adres e-mail',
  createPasskey: 'Utwórz klucz dostępu',
  toSignIn: 'Zaloguj się',

  checkMail: 'Sprawdź pocztę',
  checkMailText: 'E-mail jest w drodze na ten adres. Otwórz zawarty w nim link albo wpisz tutaj kod.',
  code: 'Kod',
  continue: 'Dalej',
  startAgain: 'Zacznij od nowa',
  emailLetters: 'Adresy e-mail z literami takimi jak ä lub é przed znakiem @ nie są obsługiwane.',
  emailInvalid: 'Wpisz adres e-mail, na przykład ada@example.com.',
  codeWrong: 'Ten kod jest błędny. Sprawdź najnowszy e-mail.',

  confirm: 'Potwierdź adres e-mail',
  confirmText: 'Z tym adresem powstanie konto i nastąpi zalogowanie.',
  confirmUnused:
    'Konto z tym adresem już istnieje. Nastąpi zalogowanie na to konto, a utworzony klucz dostępu nie zostanie użyty.',
  confirmSubmit: 'Potwierdź i zaloguj się',
  createText:
    'Rejestracja nie odbyła się w tej przeglądarce. Utwórz tutaj klucz dostępu do nowego konta albo wpisz kod z e-maila w przeglądarce, w której odbyła się rejestracja.',
  gone: 'Ten link już nie działa',
  goneText: 'Został użyty, wygasł albo coś się od tego czasu zmieniło. Poproś o nowy.',
  used: 'Już gotowe',
  usedText: 'Ten link został już użyty. Nie jest już potrzebny.',

  mailAddedSubject: 'Dodano klucz dostępu do Twojego konta w {site}',
  mailAddedText:
    'Klucz dostępu „{passkey}” został dodany do Twojego konta w {site} {time}, z adresu {client}.\nJeśli to nie Ty, usuń go teraz. To wyloguje wszystkich innych.',
  mailRemovedSubject: 'Usunięto klucz dostępu z Twojego konta w {site}',
  mailRemovedText:
    'Klucz dostępu „{passkey}” został usunięty z Twojego konta w {site} {time}, z adresu {client}.\nJeśli to nie Ty, zaloguj się i sprawdź sposoby logowania na swoje konto.',
  mailCopiedSubject: 'Klucz dostępu do {site} mógł zostać skopiowany',
  mailCopiedText:
    'Ktoś próbował zalogować się do {site} kluczem dostępu „{passkey}” {time}, z adresu {client}. Licznik klucza wskazuje, że może istnieć jego kopia, dlatego logowanie zostało odrzucone.\nUsuń ten klucz dostępu i dodaj nowy.',
  mailButton: 'Sprawdź klucze dostępu',

  mailSignUpSubject: 'Potwierdź adres e-mail dla {site}',
  mailSignUpText:
    'Ktoś zarejestrował się w {site} z tym adresem.\nPotwierdź adres w ciągu godziny, aby utworzyć konto. W przeglądarce, w której odbyła się rejestracja, można też wpisać ten kod:\n{code}\nJeśli to nie Ty, zignoruj tę wiadomość. Konto nie powstanie.',
  mailSignUpButton: 'Potwierdź adres e-mail',
  mailExistsSubject: 'Masz już konto w {site}',
  mailExistsText:
    'Ktoś zarejestrował się w {site} z tym adresem, który ma już konto.\nZaloguj się tak jak dotychczas.\nJeśli to nie Ty, zignoruj tę wiadomość. Nic się nie zmieniło.',
  mailExistsButton: 'Zaloguj się'
})
