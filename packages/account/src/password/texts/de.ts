import type { TextKey } from './en.ts'

export const de = (): Readonly<Record<TextKey, string>> => ({
  name: 'Passwort',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  currentPassword: 'Aktuelles Passwort',
  code: 'Code',
  signIn: 'Anmelden',
  createAccount: 'Konto erstellen',
  remember: 'Angemeldet bleiben',
  forgotPassword: 'Passwort vergessen?',
  summarySet: 'Festgelegt',
  toAccount: 'Zurück zu Ihrem Konto',
  summaryNone: 'Nicht festgelegt',
  section: 'Passwort',

  signUpText: 'Sie erhalten eine E-Mail, mit der Sie Ihre Adresse bestätigen. Danach wird das Konto erstellt.',
  passwordHint: 'Mindestens {minLength} Zeichen. Ein Satz ist leicht zu merken.',
  strengthShort: 'Zu kurz',
  strengthFair: 'Ausreichendes Passwort: Ein längeres ist besser.',
  strengthGood: 'Gutes Passwort.',
  strengthStrong: 'Starkes Passwort.',
  continue: 'Weiter',

  checkMail: 'Sehen Sie in Ihr Postfach',
  checkMailText:
    'Eine E-Mail an diese Adresse ist unterwegs. Öffnen Sie den Link darin, oder geben Sie hier den Code ein.',
  checkMailReset: 'Eine E-Mail an diese Adresse ist unterwegs. Öffnen Sie den Link darin.',
  startAgain: 'Noch einmal beginnen',

  confirm: 'E-Mail-Adresse bestätigen',
  confirmText: 'Ihr Konto wird mit dieser Adresse erstellt, und Sie werden angemeldet.',
  confirmExisting: 'Sie werden in Ihrem Konto mit dieser Adresse angemeldet.',
  confirmUnused:
    'Zu dieser Adresse gibt es schon ein Konto. Sie werden dort angemeldet, und das gewählte Passwort wird nicht verwendet.',
  choose: 'Passwort wählen',
  chooseText: 'In diesem Browser haben Sie sich nicht registriert. Wählen Sie das Passwort Ihres neuen Kontos.',
  confirmSubmit: 'Bestätigen und anmelden',

  forgot: 'Passwort vergessen?',
  forgotText: 'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, um ein neues Passwort zu wählen.',
  reset: 'Neues Passwort wählen',
  resetText: 'Sie werden auf allen Geräten abgemeldet. Danach können Sie sich mit dem neuen Passwort anmelden.',
  save: 'Passwort speichern',

  change: 'Passwort ändern',
  changeText: 'Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.',
  set: 'Passwort festlegen',
  setText: 'Danach können Sie sich auch mit Ihrer E-Mail-Adresse und diesem Passwort anmelden.',
  unavailable: 'Sie können kein Passwort festlegen',
  unavailableText: 'Ein Passwort setzt eine bestätigte E-Mail-Adresse voraus.',
  changed: 'Ihr Passwort wurde geändert',
  changedText: 'Verwenden Sie ab jetzt das neue Passwort.',
  toSite: 'Weiter',

  gone: 'Dieser Link gilt nicht mehr',
  goneText: 'Er wurde benutzt, ist abgelaufen, oder seitdem hat sich etwas geändert. Fordern Sie einen neuen an.',
  used: 'Schon erledigt',
  usedText: 'Dieser Link wurde schon benutzt. Sie brauchen ihn nicht mehr.',

  emailLetters: 'E-Mail-Adressen mit Buchstaben wie ä oder é vor dem @ werden nicht unterstützt.',
  emailInvalid: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  codeWrong: 'Dieser Code ist falsch. Sehen Sie in die neueste E-Mail.',
  characters: 'Das Passwort enthält ein Zeichen, das nicht verwendet werden kann.',
  tooShort: 'Verwenden Sie mindestens {minLength} Zeichen.',
  tooLong: 'Verwenden Sie höchstens 256 Zeichen.',
  tooCommon: 'Dieses Passwort haben viele Menschen. Wählen Sie ein anderes.',
  isAddress: 'Ihre Adresse und der Name der Website können nicht das Passwort sein.',
  breached: 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
  currentWrong: 'Das ist nicht Ihr aktuelles Passwort.',
  conflict: 'Das Passwort wurde gerade von anderer Stelle geändert. Versuchen Sie es noch einmal.',

  mailSignUpSubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {site}',
  mailSignUpText:
    'Jemand hat sich mit dieser Adresse bei {site} registriert.\nBestätigen Sie die Adresse innerhalb einer Stunde, um das Konto zu erstellen. In dem Browser, in dem Sie sich registriert haben, können Sie auch diesen Code eingeben:\n{code}\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wird kein Konto erstellt.',
  mailSignUpButton: 'E-Mail-Adresse bestätigen',
  mailExistsSubject: 'Sie haben bereits ein Konto bei {site}',
  mailExistsText:
    'Jemand wollte sich mit dieser Adresse bei {site} registrieren, aber sie gehört zu einem Konto.\nMelden Sie sich an, oder wählen Sie ein neues Passwort, wenn Sie Ihres vergessen haben.\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wurde nichts geändert.',
  mailExistsButton: 'Anmelden',
  mailResetSubject: 'Neues Passwort für {site}',
  mailResetText:
    'Jemand hat ein neues Passwort für Ihr Konto bei {site} angefordert.\nWählen Sie es innerhalb einer Stunde. Danach sind Sie auf allen Geräten abgemeldet.\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
  mailResetButton: 'Neues Passwort wählen',
  mailConfirmSubject: 'Anmeldung bei {site}',
  mailConfirmText:
    'Jemand hat ein neues Passwort für {site} angefordert. Die Adresse dieses Kontos ist noch nicht bestätigt.\nBestätigen Sie sie innerhalb einer Stunde, um sich anzumelden. Danach können Sie ein Passwort festlegen.\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  mailConfirmButton: 'E-Mail-Adresse bestätigen',
  mailUnknownSubject: 'Kein Konto bei {site}',
  mailUnknownText:
    'Jemand hat ein neues Passwort für {site} angefordert, aber mit dieser Adresse gibt es kein Konto.\nVielleicht haben Sie sich mit einer anderen registriert.\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  mailUnknownButton: 'Konto erstellen',
  mailChangedSubject: 'Ihr Passwort für {site} wurde geändert',
  mailChangedText:
    'Das Passwort Ihres Kontos bei {site} wurde am {time} geändert, von der Adresse {client}.\nWenn Sie das nicht waren, wählen Sie sofort ein neues Passwort. Damit wird jeder andere abgemeldet.',
  mailChangedButton: 'Neues Passwort wählen'
})
