import type { TextKey } from './en.ts'

export const de: Readonly<Record<TextKey, string>> = {
  locale: 'de',
  name: 'Passkey',
  signIn: 'Mit einem Passkey anmelden',
  signInText: 'Ihr Gerät fragt nach Ihrem Fingerabdruck, Ihrem Gesicht oder seiner Displaysperre.',
  needsScript: 'Passkeys setzen JavaScript und einen Browser voraus, der sie unterstützt.',
  otherWays: 'Andere Anmeldearten',
  cancelled: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',

  passkeys: 'Passkeys',
  passkeysText:
    'Melden Sie sich mit Ihrem Fingerabdruck, Ihrem Gesicht oder der Displaysperre Ihres Geräts an statt mit einem Passwort.',
  synced: 'Auf mehreren Geräten verfügbar.',
  local: 'Auf einem Gerät.',
  createdAt: 'Hinzugefügt am {date}.',
  usedAt: 'Zuletzt verwendet am {date}.',
  add: 'Passkey hinzufügen',
  verify: 'Für Änderungen erneut anmelden',
  notCreated: 'Es wurde kein Passkey hinzugefügt. Vielleicht hat dieses Gerät schon einen für Ihr Konto.',
  expired: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  failed:
    'Der Passkey konnte nicht hinzugefügt werden. Passkeys setzen JavaScript und einen Browser voraus, der sie unterstützt.',
  exists: 'Dieser Passkey wurde schon hinzugefügt.',
  tooMany: 'Mehr Passkeys sind nicht möglich. Entfernen Sie einen, um einen anderen hinzuzufügen.',
  unverified:
    'Um einen Passkey hinzuzufügen, bestätigen Sie zuerst Ihre E-Mail-Adresse: Melden Sie sich per E-Mail an.',

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
  failedText: 'Der Passkey konnte nicht verwendet werden.',
  failedNext: 'Versuchen Sie es noch einmal, oder melden Sie sich anders an. Passkeys setzen JavaScript voraus.',
  expiredText: 'Die Anmeldung mit dem Passkey hat zu lange gedauert.',
  expiredNext: 'Versuchen Sie es noch einmal.',

  mailAddedSubject: 'Ein Passkey wurde Ihrem Konto bei {site} hinzugefügt',
  mailAddedText:
    'Der Passkey „{passkey}“ wurde Ihrem Konto bei {site} am {time} hinzugefügt, von der Adresse {client}.\nWenn Sie das nicht waren, entfernen Sie ihn sofort. Damit wird jeder andere abgemeldet.',
  mailRemovedSubject: 'Ein Passkey wurde aus Ihrem Konto bei {site} entfernt',
  mailRemovedText:
    'Der Passkey „{passkey}“ wurde am {time} aus Ihrem Konto bei {site} entfernt, von der Adresse {client}.\nWenn Sie das nicht waren, melden Sie sich an und prüfen Sie, wie man sich bei Ihrem Konto anmelden kann.',
  mailCopiedSubject: 'Ein Passkey für {site} wurde vielleicht kopiert',
  mailCopiedText:
    'Jemand wollte sich am {time} mit dem Passkey „{passkey}“ bei {site} anmelden, von der Adresse {client}. Sein Zähler deutet auf eine Kopie hin, deshalb wurde die Anmeldung abgelehnt.\nEntfernen Sie diesen Passkey, und fügen Sie einen neuen hinzu.',
  mailButton: 'Passkeys prüfen'
}
