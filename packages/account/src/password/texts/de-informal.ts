import { de } from './de.ts'
import type { TextKey } from './en.ts'

/** German with *du*: what differs from German with *Sie*. */
export const deInformal = (): Readonly<Record<TextKey, string>> => ({
  ...de(),
  usedText: 'Dieser Link wurde schon benutzt. Du brauchst ihn nicht mehr.',
  toAccount: 'Zurück zu deinem Konto',
  checkMailReset: 'Eine E-Mail an diese Adresse ist unterwegs. Öffne den Link darin.',
  chooseText: 'In diesem Browser hast du dich nicht registriert. Wähle das Passwort deines neuen Kontos.',
  forgotText: 'Gib deine E-Mail-Adresse ein. Du erhältst einen Link, um ein neues Passwort zu wählen.',
  resetText: 'Du wirst auf allen Geräten abgemeldet. Danach kannst du dich mit dem neuen Passwort anmelden.',
  changeText: 'Hier bleibst du angemeldet, überall sonst wirst du abgemeldet.',
  setText: 'Danach kannst du dich auch mit deiner E-Mail-Adresse und diesem Passwort anmelden.',
  unavailable: 'Du kannst kein Passwort festlegen',
  changed: 'Dein Passwort wurde geändert',
  changedText: 'Verwende ab jetzt das neue Passwort.',
  tooShort: 'Verwende mindestens {minLength} Zeichen.',
  tooLong: 'Verwende höchstens 256 Zeichen.',
  tooCommon: 'Dieses Passwort haben viele Menschen. Wähle ein anderes.',
  isAddress: 'Deine Adresse und der Name der Website können nicht das Passwort sein.',
  breached: 'Dieses Passwort ist aus einem Datenleck bekannt. Wähle ein anderes.',
  currentWrong: 'Das ist nicht dein aktuelles Passwort.',
  conflict: 'Das Passwort wurde gerade von anderer Stelle geändert. Versuche es noch einmal.',
  mailExistsText:
    'Jemand wollte sich mit dieser Adresse bei {site} registrieren, aber sie gehört zu einem Konto.\nMelde dich an, oder wähle ein neues Passwort, wenn du deines vergessen hast.\nWenn du das nicht warst, ignoriere diese E-Mail. Es wurde nichts geändert.',
  mailResetText:
    'Jemand hat ein neues Passwort für dein Konto bei {site} angefordert.\nWähle es innerhalb einer Stunde. Danach bist du auf allen Geräten abgemeldet.\nWenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.',
  mailConfirmText:
    'Jemand hat ein neues Passwort für {site} angefordert. Die Adresse dieses Kontos ist noch nicht bestätigt.\nBestätige sie innerhalb einer Stunde, um dich anzumelden. Danach kannst du ein Passwort festlegen.\nWenn du das nicht warst, ignoriere diese E-Mail.',
  mailUnknownText:
    'Jemand hat ein neues Passwort für {site} angefordert, aber mit dieser Adresse gibt es kein Konto.\nVielleicht hast du dich mit einer anderen registriert.\nWenn du das nicht warst, ignoriere diese E-Mail.',
  mailChangedSubject: 'Dein Passwort für {site} wurde geändert',
  mailChangedText:
    'Das Passwort deines Kontos bei {site} wurde am {time} geändert, von der Adresse {client}.\nWenn du das nicht warst, wähle sofort ein neues Passwort. Damit wird jeder andere abgemeldet.',
  signUpText: 'Du erhältst eine E-Mail, mit der du deine Adresse bestätigst. Danach wird das Konto erstellt.',
  checkMail: 'Sieh in dein Postfach',
  checkMailText: 'Eine E-Mail an diese Adresse ist unterwegs. Öffne den Link darin, oder gib hier den Code ein.',
  emailInvalid: 'Gib eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  codeWrong: 'Dieser Code ist falsch. Sieh in die neueste E-Mail.',
  confirmText: 'Dein Konto wird mit dieser Adresse erstellt, und du wirst angemeldet.',
  confirmExisting: 'Du wirst in deinem Konto mit dieser Adresse angemeldet.',
  confirmUnused:
    'Zu dieser Adresse gibt es schon ein Konto. Du wirst dort angemeldet, und das gewählte Passwort wird nicht verwendet.',
  goneText: 'Er wurde benutzt, ist abgelaufen, oder seitdem hat sich etwas geändert. Fordere einen neuen an.',
  mailSignUpSubject: 'Bestätige deine E-Mail-Adresse für {site}',
  mailSignUpText:
    'Jemand hat sich mit dieser Adresse bei {site} registriert.\nBestätige die Adresse innerhalb einer Stunde, um das Konto zu erstellen. In dem Browser, in dem du dich registriert hast, kannst du auch diesen Code eingeben:\n{code}\nWenn du das nicht warst, ignoriere diese E-Mail. Es wird kein Konto erstellt.',
  mailExistsSubject: 'Du hast bereits ein Konto bei {site}'
})
