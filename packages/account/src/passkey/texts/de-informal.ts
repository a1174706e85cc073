import { deInformal as mailedCode } from '../../mail/texts/de-informal.ts'
import { de } from './de.ts'
import type { TextKey } from './en.ts'

/** German with *du*: what differs from German with *Sie*. */
export const deInformal = (): Readonly<Record<TextKey, string>> => ({
  ...de(),
  usedText: 'Dieser Link wurde schon benutzt. Du brauchst ihn nicht mehr.',
  ...mailedCode(),
  signInText: 'Dein Gerät fragt nach deinem Fingerabdruck, deinem Gesicht oder seiner Displaysperre.',
  noneHere: 'Kein Passkey auf diesem Gerät? Verwende dein Telefon, oder wähle einen anderen Weg.',
  offerText:
    'Erstelle einen Passkey, und melde dich mit deinem Fingerabdruck, deinem Gesicht oder der Displaysperre deines Geräts an.',
  toAccount: 'Zurück zu deinem Konto',
  passkeysText:
    'Melde dich mit deinem Fingerabdruck, deinem Gesicht oder der Displaysperre deines Geräts an statt mit einem Passwort.',
  notCreated: 'Es wurde kein Passkey erstellt: Du hast abgebrochen, oder es hat zu lange gedauert.',
  existsText: 'Dieses Gerät hat schon einen Passkey für dein Konto.',
  existsNext: 'Du kannst dich damit anmelden.',
  expired: 'Das hat zu lange gedauert. Versuche es noch einmal.',
  tooMany: 'Mehr Passkeys sind nicht möglich. Entferne einen, um einen anderen hinzuzufügen.',
  unverified: 'Um einen Passkey hinzuzufügen, bestätige zuerst deine E-Mail-Adresse.',
  mailText:
    'Damit der Passkey auch für die Bestätigung in zwei Schritten gilt, lass dir zuerst einen Code per E-Mail schicken. Ohne den Code ist er nur eine Anmeldeart.',
  removeText: 'Danach bist du überall sonst abgemeldet. Lösche den Passkey auch auf deinem Gerät.',
  nameMissing: 'Gib einen Namen ein.',
  conflict: 'Der Passkey wurde gerade von anderer Stelle geändert. Versuche es noch einmal.',
  lastWayIn:
    'Nur mit diesem Passkey kannst du dich anmelden. Füge eine andere Anmeldeart hinzu, bevor du ihn entfernst.',
  unavailable: 'Du kannst keine Passkeys haben',
  unavailableText: 'Das Konto, mit dem du angemeldet bist, wird hier nicht gespeichert.',
  unknownNext: 'Vielleicht wurde er entfernt. Verwende einen anderen, oder melde dich anders an.',
  changedNext: 'Melde dich anders an, entferne ihn, und füge ihn neu hinzu.',
  expiredNext: 'Versuche es noch einmal.',
  createText:
    'In diesem Browser hast du dich nicht registriert. Erstelle den Passkey deines neuen Kontos hier, oder gib den Code aus der E-Mail in dem Browser ein, in dem du dich registriert hast.',
  mailAddedSubject: 'Ein Passkey wurde deinem Konto bei {site} hinzugefügt',
  mailAddedText:
    'Der Passkey „{passkey}“ wurde deinem Konto bei {site} am {time} hinzugefügt, von der Adresse {client}.\nWenn du das nicht warst, entferne ihn sofort. Damit wird jeder andere abgemeldet.',
  mailRemovedSubject: 'Ein Passkey wurde aus deinem Konto bei {site} entfernt',
  mailRemovedText:
    'Der Passkey „{passkey}“ wurde am {time} aus deinem Konto bei {site} entfernt, von der Adresse {client}.\nWenn du das nicht warst, melde dich an und prüfe, wie man sich bei deinem Konto anmelden kann.',
  mailCopiedText:
    'Jemand wollte sich am {time} mit dem Passkey „{passkey}“ bei {site} anmelden, von der Adresse {client}. Sein Zähler deutet auf eine Kopie hin, deshalb wurde die Anmeldung abgelehnt.\nEntferne diesen Passkey, und füge einen neuen hinzu.',
  mailExistsText:
    'Jemand wollte sich mit dieser Adresse bei {site} registrieren, aber sie gehört zu einem Konto.\nMelde dich so an wie bisher.\nWenn du das nicht warst, ignoriere diese E-Mail. Es wurde nichts geändert.',
  signUpText: 'Du erhältst eine E-Mail, mit der du deine Adresse bestätigst. Danach wird das Konto erstellt.',
  checkMail: 'Sieh in dein Postfach',
  checkMailText: 'Eine E-Mail an diese Adresse ist unterwegs. Öffne den Link darin, oder gib hier den Code ein.',
  emailInvalid: 'Gib eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  codeWrong: 'Dieser Code ist falsch. Sieh in die neueste E-Mail.',
  confirmText: 'Dein Konto wird mit dieser Adresse erstellt, und du wirst angemeldet.',
  confirmUnused:
    'Zu dieser Adresse gibt es schon ein Konto. Du wirst dort angemeldet, und der erstellte Passkey wird nicht verwendet.',
  goneText: 'Er wurde benutzt, ist abgelaufen, oder seitdem hat sich etwas geändert. Fordere einen neuen an.',
  mailSignUpSubject: 'Bestätige deine E-Mail-Adresse für {site}',
  mailSignUpText:
    'Jemand hat sich mit dieser Adresse bei {site} registriert.\nBestätige die Adresse innerhalb einer Stunde, um das Konto zu erstellen. In dem Browser, in dem du dich registriert hast, kannst du auch diesen Code eingeben:\n{code}\nWenn du das nicht warst, ignoriere diese E-Mail. Es wird kein Konto erstellt.',
  mailExistsSubject: 'Du hast bereits ein Konto bei {site}'
})
