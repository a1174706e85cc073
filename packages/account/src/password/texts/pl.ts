import type { TextKey } from './en.ts'

export const pl = (): Readonly<Record<TextKey, string>> => ({
  name: 'Hasło',
  email: 'Adres e-mail',
  password: 'Hasło',
  newPassword: 'Nowe hasło',
  currentPassword: 'Obecne hasło',
  code: 'Kod',
  signIn: 'Zaloguj się',
  createAccount: 'Utwórz konto',
  remember: 'Nie wylogowuj mnie',
  forgotPassword: 'Nie pamiętasz hasła?',
  summarySet: 'Ustawione',
  toAccount: 'Wróć do konta',
  summaryNone: 'Nie ustawiono',
  section: 'Hasło',

  signUpText: 'Otrzymasz e-mail, aby potwierdzić adres. Konto powstanie dopiero potem.',
  passwordHint: 'Minimalna liczba znaków: {minLength}. Zdanie łatwo zapamiętać.',
  strengthShort: 'Za krótkie',
  strengthFair: 'Hasło wystarczające: dłuższe jest lepsze.',
  strengthGood: 'Dobre hasło.',
  strengthStrong: 'Silne hasło.',
  continue: 'Dalej',

  checkMail: 'Sprawdź pocztę',
  checkMailText: 'E-mail jest w drodze na ten adres. Otwórz zawarty w nim link albo wpisz tutaj kod.',
  checkMailReset: 'E-mail jest w drodze na ten adres. Otwórz zawarty w nim link, aby kontynuować.',
  startAgain: 'Zacznij od nowa',

  confirm: 'Potwierdź adres e-mail',
  confirmText: 'Z tym adresem powstanie konto i nastąpi zalogowanie.',
  confirmExisting: 'Nastąpi zalogowanie na konto z tym adresem.',
  confirmUnused:
    'Konto z tym adresem już istnieje. Nastąpi zalogowanie na to konto, a wybrane hasło nie zostanie użyte.',
  choose: 'Wybierz hasło',
  chooseText: 'Rejestracja nie odbyła się w tej przeglądarce. Wybierz hasło do nowego konta.',
  confirmSubmit: 'Potwierdź i zaloguj się',

  forgot: 'Nie pamiętasz hasła?',
  forgotText: 'Wpisz adres e-mail. Otrzymasz link do wyboru nowego hasła.',
  reset: 'Wybierz nowe hasło',
  resetText: 'Nastąpi wylogowanie na wszystkich urządzeniach. Potem można zalogować się nowym hasłem.',
  save: 'Zapisz hasło',

  change: 'Zmień hasło',
  changeText: 'Tutaj sesja pozostanie, wszędzie indziej nastąpi wylogowanie.',
  set: 'Ustaw hasło',
  setText: 'Potem można logować się także adresem e-mail i tym hasłem.',
  unavailable: 'Nie można ustawić hasła',
  unavailableText: 'Hasło wymaga potwierdzonego adresu e-mail.',
  changed: 'Hasło zostało zmienione',
  changedText: 'Od teraz używaj nowego hasła.',
  toSite: 'Dalej',

  gone: 'Ten link już nie działa',
  goneText: 'Został użyty, wygasł albo coś się od tego czasu zmieniło. Poproś o nowy.',
  used: 'Już gotowe',
  usedText: 'Ten link został już użyty. Nie jest już potrzebny.',

  emailLetters: 'Adresy e-mail z literami takimi jak ä lub é przed znakiem @ nie są obsługiwane.',
  emailInvalid: 'Wpisz adres e-mail, na przykład ada@example.com.',
  codeWrong: 'Ten kod jest błędny. Sprawdź najnowszy e-mail.',
  characters: 'Hasło zawiera znak, którego nie można użyć.',
  tooShort: 'Minimalna liczba znaków: {minLength}.',
  tooLong: 'Maksymalna liczba znaków: 256.',
  tooCommon: 'Tego hasła używa wiele osób. Wybierz inne.',
  isAddress: 'Nie używaj jako hasła swojego adresu ani nazwy witryny.',
  breached: 'To hasło jest znane z wycieku danych. Wybierz inne.',
  currentWrong: 'To nie jest obecne hasło.',
  conflict: 'Hasło zostało zmienione przez inne żądanie. Spróbuj ponownie.',

  mailSignUpSubject: 'Potwierdź adres e-mail dla {site}',
  mailSignUpText:
    'Ktoś zarejestrował się w {site} z tym adresem.\nPotwierdź adres w ciągu godziny, aby utworzyć konto. W przeglądarce, w której odbyła się rejestracja, można też wpisać ten kod:\n{code}\nJeśli to nie Ty, zignoruj tę wiadomość. Konto nie powstanie.',
  mailSignUpButton: 'Potwierdź adres e-mail',
  mailExistsSubject: 'Masz już konto w {site}',
  mailExistsText:
    'Ktoś zarejestrował się w {site} z tym adresem, który ma już konto.\nZaloguj się albo wybierz nowe hasło, jeśli nie pamiętasz swojego.\nJeśli to nie Ty, zignoruj tę wiadomość. Nic się nie zmieniło.',
  mailExistsButton: 'Zaloguj się',
  mailResetSubject: 'Wybierz nowe hasło do {site}',
  mailResetText:
    'Ktoś poprosił o nowe hasło do Twojego konta w {site}.\nWybierz je w ciągu godziny. Potem nastąpi wylogowanie na wszystkich urządzeniach.\nJeśli to nie Ty, zignoruj tę wiadomość. Hasło pozostanie bez zmian.',
  mailResetButton: 'Wybierz nowe hasło',
  mailConfirmSubject: 'Logowanie do {site}',
  mailConfirmText:
    'Ktoś poprosił o nowe hasło do {site}. Adres tego konta nie jest jeszcze potwierdzony.\nPotwierdź go w ciągu godziny, aby się zalogować. Potem można ustawić hasło.\nJeśli to nie Ty, zignoruj tę wiadomość.',
  mailConfirmButton: 'Potwierdź adres e-mail',
  mailUnknownSubject: 'Brak konta w {site}',
  mailUnknownText:
    'Ktoś poprosił o nowe hasło do {site}, ale nie ma konta z tym adresem.\nMoże rejestracja odbyła się z innym adresem.\nJeśli to nie Ty, zignoruj tę wiadomość.',
  mailUnknownButton: 'Utwórz konto',
  mailChangedSubject: 'Hasło do {site} zostało zmienione',
  mailChangedText:
    'Hasło do Twojego konta w {site} zostało zmienione {time}, z adresu {client}.\nJeśli to nie Ty, wybierz teraz nowe hasło. To wyloguje wszystkich innych.',
  mailChangedButton: 'Wybierz nowe hasło'
})
