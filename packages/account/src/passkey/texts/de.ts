import { de as mailedCode } from '../../mail/texts/de.ts'
import type { TextKey } from './en.ts'

export const de = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'de',
  name: 'Passkey',
  signIn: 'Mit einem Passkey anmelden',
  signInText: 'Ihr Gerät fragt nach Ihrem Fingerabdruck, Ihrem Gesicht oder seiner Displaysperre.',
  needsScript: 'Passkeys setzen JavaScript und einen Browser voraus, der sie unterstützt.',
  otherWays: 'Andere Anmeldearten',
  noneHere: 'Kein Passkey auf diesem Gerät? Verwenden Sie Ihr Telefon, oder wählen Sie einen anderen Weg.',
  usePhone: 'Telefon verwenden',
  offer: 'Beim nächsten Mal schneller anmelden',
  offerText:
    'Erstellen Sie einen Passkey, und melden Sie sich mit Ihrem Fingerabdruck, Ihrem Gesicht oder der Displaysperre Ihres Geräts an.',
  notNow: 'Nicht jetzt',
  neverAsk: 'Nicht mehr fragen',

  summary: '{names}',
  toAccount: 'Zurück zu Ihrem Konto',
  summaryNone: 'Kein Passkey',
  passkeys: 'Passkeys',
  passkeysText:
    'Melden Sie sich mit Ihrem Fingerabdruck, Ihrem Gesicht oder der Displaysperre Ihres Geräts an statt mit einem Passwort.',
  synced: 'Auf mehreren Geräten verfügbar.',
  local: 'Auf einem Gerät.',
  createdAt: 'Hinzugefügt am {date}.',
  usedAt: 'Zuletzt verwendet am {date}.',
  add: 'Passkey hinzufügen',
  verify: 'Für Änderungen Identität bestätigen',
  notCreated: 'Es wurde kein Passkey erstellt: Sie haben abgebrochen, oder es hat zu lange gedauert.',
  existsText: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  existsNext: 'Sie können sich damit anmelden.',
  expired: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  failed:
    'Der Passkey konnte nicht hinzugefügt werden. Passkeys setzen JavaScript und einen Browser voraus, der sie unterstützt.',
  exists: 'Dieser Passkey wurde schon hinzugefügt.',
  tooMany: 'Mehr Passkeys sind nicht möglich. Entfernen Sie einen, um einen anderen hinzuzufügen.',
  unverified: 'Um einen Passkey hinzuzufügen, bestätigen Sie zuerst Ihre E-Mail-Adresse.',
  mailText:
    'Damit der Passkey auch für die Bestätigung in zwei Schritten gilt, lassen Sie sich zuerst einen Code per E-Mail schicken. Ohne den Code ist er nur eine Anmeldeart.',

  label: 'Name',
  save: 'Namen speichern',
  remove: 'Passkey entfernen',
  removeText: 'Danach sind Sie überall sonst abgemeldet. Löschen Sie den Passkey auch auf Ihrem Gerät.',
  nameMissing: 'Geben Sie einen Namen ein.',
  conflict: 'Der Passkey wurde gerade von anderer Stelle geändert. Versuchen Sie es noch einmal.',
  lastWayIn:
    'Nur mit diesem Passkey können Sie sich anmelden. Fügen Sie eine andere Anmeldeart hinzu, bevor Sie ihn entfernen.',
  back: 'Alle Passkeys',
  unavailable: 'Sie können keine Passkeys haben',
  unavailableText: 'Das Konto, mit dem Sie angemeldet sind, wird hier nicht gespeichert.',

  unknownText: 'Dieser Passkey ist hier nicht bekannt.',
  unknownNext: 'Vielleicht wurde er entfernt. Verwenden Sie einen anderen, oder melden Sie sich anders an.',
  changedText: 'Dieser Passkey hat sich geändert, seit er hinzugefügt wurde.',
  changedNext: 'Melden Sie sich anders an, entfernen Sie ihn, und fügen Sie ihn neu hinzu.',
  expiredText: 'Die Anmeldung mit dem Passkey hat zu lange gedauert.',
  expiredNext: 'Versuchen Sie es noch einmal.',

  createAccount: 'Konto mit einem Passkey erstellen',
  signUpText: 'Sie erhalten eine E-Mail, mit der Sie Ihre Adresse bestätigen. Danach wird das Konto erstellt.',
  email: 'E-Mail-Adresse',
  createPasskey: 'Passkey erstellen',
  toSignIn: 'Anmelden',

  checkMail: 'Sehen Sie in Ihr Postfach',
  checkMailText:
    'Eine E-Mail an diese Adresse ist unterwegs. Öffnen Sie den Link darin, oder geben Sie hier den Code ein.',
  code: 'Code',
  continue: 'Weiter',
  startAgain: 'Noch einmal beginnen',
  emailLetters: 'E-Mail-Adressen mit Buchstaben wie ä oder é vor dem @ werden nicht unterstützt.',
  emailInvalid: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  codeWrong: 'Dieser Code ist falsch. Sehen Sie in die neueste E-Mail.',

  confirm: 'E-Mail-Adresse bestätigen',
  confirmText: 'Ihr Konto wird mit dieser Adresse erstellt, und Sie werden angemeldet.',
  confirmUnused:
    'Zu dieser Adresse gibt es schon ein Konto. Sie werden dort angemeldet, und der erstellte Passkey wird nicht verwendet.',
  confirmSubmit: 'Bestätigen und anmelden',
  createText:
    'In diesem Browser haben Sie sich nicht registriert. Erstellen Sie den Passkey Ihres neuen Kontos hier, oder geben Sie den Code aus der E-Mail in dem Browser ein, in dem Sie sich registriert haben.',
  gone: 'Dieser Link gilt nicht mehr',
  goneText: 'Er wurde benutzt, ist abgelaufen, oder seitdem hat sich etwas geändert. Fordern Sie einen neuen an.',
  used: 'Schon erledigt',
  usedText: 'Dieser Link wurde schon benutzt. Sie brauchen ihn nicht mehr.',

  mailAddedSubject: 'Ein Passkey wurde Ihrem Konto bei {site} hinzugefügt',
  mailAddedText:
    'Der Passkey „{passkey}“ wurde Ihrem Konto bei {site} am {time} hinzugefügt, von der Adresse {client}.\nWenn Sie das nicht waren, entfernen Sie ihn sofort. Damit wird jeder andere abgemeldet.',
  mailRemovedSubject: 'Ein Passkey wurde aus Ihrem Konto bei {site} entfernt',
  mailRemovedText:
    'Der Passkey „{passkey}“ wurde am {time} aus Ihrem Konto bei {site} entfernt, von der Adresse {client}.\nWenn Sie das nicht waren, melden Sie sich an und prüfen Sie, wie man sich bei Ihrem Konto anmelden kann.',
  mailCopiedSubject: 'Ein Passkey für {site} wurde vielleicht kopiert',
  mailCopiedText:
    'Jemand wollte sich am {time} mit dem Passkey „{passkey}“ bei {site} anmelden, von der Adresse {client}. Sein Zähler deutet auf eine Kopie hin, deshalb wurde die Anmeldung abgelehnt.\nEntfernen Sie diesen Passkey, und fügen Sie einen neuen hinzu.',
  mailButton: 'Passkeys prüfen',

  mailSignUpSubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {site}',
  mailSignUpText:
    'Jemand hat sich mit dieser Adresse bei {site} registriert.\nBestätigen Sie die Adresse innerhalb einer Stunde, um das Konto zu erstellen. In dem Browser, in dem Sie sich registriert haben, können Sie auch diesen Code eingeben:\n{code}\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wird kein Konto erstellt.',
  mailSignUpButton: 'E-Mail-Adresse bestätigen',
  mailExistsSubject: 'Sie haben bereits ein Konto bei {site}',
  mailExistsText:
    'Jemand wollte sich mit dieser Adresse bei {site} registrieren, aber sie gehört zu einem Konto.\nMelden Sie sich so an wie bisher.\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es wurde nichts geändert.',
  mailExistsButton: 'Anmelden'
})
