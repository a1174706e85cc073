import { deInformal as mailedCode } from '../../mail/texts/de-informal.ts'
import { de } from './de.ts'
import type { TextKey } from './en.ts'

/** German with *du*: what differs from German with *Sie*. */
export const deInformal = (): Readonly<Record<TextKey, string>> => ({
  ...de(),
  ...mailedCode(),
  toAccount: 'Zurück zu deinem Konto',
  factorsText:
    'Mit der Bestätigung in zwei Schritten kann sich niemand anmelden, der nur dein Passwort kennt oder nur deine E-Mails liest.',
  removeText: 'Auch deine Wiederherstellungscodes werden entfernt, und du wirst überall sonst abgemeldet.',
  removeAlone: 'Du wirst überall sonst abgemeldet.',
  codesFew: 'Du hast nur noch wenige Wiederherstellungscodes. Erstelle neue.',
  codesMissing: 'Du hast keine Wiederherstellungscodes. Erstelle neue.',
  enrollText:
    'Füge diesen Schlüssel einer Authenticator-App auf deinem Telefon hinzu: Scanne den QR-Code, oder kopiere den Schlüssel.',
  mailText: 'Lass dir zuerst einen Code per E-Mail schicken, damit nur du eine App einrichten kannst.',
  codes: 'Deine Wiederherstellungs\u00adcodes',
  codesText:
    'Mit einem dieser Codes kannst du dich ohne die App anmelden, zum Beispiel wenn du dein Telefon verloren hast. Jeder Code gilt nur einmal. Bewahre die Codes sicher auf: Angezeigt werden sie nur jetzt.',
  codesShown:
    'Deine Wiederherstellungscodes wurden schon angezeigt. Wenn du sie nicht gespeichert hast, erstelle nach der Anmeldung neue.',
  challenge: 'Bestätige, dass du es bist',
  challengeText: 'Gib den Code ein, den deine Authenticator-App gerade anzeigt.',
  challengePasskey: 'Verwende deinen Passkey, um fortzufahren.',
  challengeOther: 'Verwende einen Passkey oder einen Wiederherstellungscode, um fortzufahren.',
  challengeRecovery: 'Verwende einen Wiederherstellungscode, um fortzufahren.',
  challengeNone: 'Melde dich auf einem anderen Weg an, oder wende dich an die Betreiber dieser Website.',
  exhaustedText:
    'Für dein Konto wurden viele falsche Codes eingegeben. Deshalb brauchst du auch einen Code aus einer E-Mail.',
  codeWrong: 'Der Code ist falsch, abgelaufen oder wurde schon verwendet. Gib den ein, den die App jetzt anzeigt.',
  passkeyWrong: 'Der Passkey konnte nicht verwendet werden. Versuche es noch einmal, oder wähle einen anderen Weg.',
  passkeyChanged:
    'Dieser Passkey hat sich geändert, seit er hinzugefügt wurde. Wähle einen anderen Weg, entferne ihn dann, und füge ihn neu hinzu.',
  expired: 'Das hat zu lange gedauert. Beginne von vorn.',
  conflict: 'Die Bestätigung in zwei Schritten wurde gerade von anderer Stelle geändert. Versuche es noch einmal.',
  unverified: 'Um die Bestätigung in zwei Schritten einzurichten, bestätige zuerst deine E-Mail-Adresse.',
  unavailable: 'Du kannst die Bestätigung in zwei Schritten nicht einrichten',
  unavailableText: 'Das Konto, mit dem du angemeldet bist, wird hier nicht gespeichert.',
  openApp: 'In deiner Authenticator-App öffnen',
  lostText:
    'Suche zuerst nach den Wiederherstellungscodes: in der Datei {file}, auf Papier oder in deinem Passwort-Manager.',
  lostHelp:
    'Wenn du sie nicht findest, wende dich an die Betreiber dieser Website. Sobald diese geprüft haben, dass du es bist, können sie die Bestätigung in zwei Schritten für dein Konto ausschalten.',
  lostContact:
    'Wende dich an die Betreiber dieser Website. Sobald diese geprüft haben, dass du es bist, können sie die Bestätigung in zwei Schritten für dein Konto ausschalten.',
  recoveryText:
    'Mit einem Wiederherstellungscode kannst du dich anmelden, wenn du dein Telefon verloren hast. Jeder gilt nur einmal.',
  noCodes: 'Du hast noch keine Wiederherstellungscodes.',
  passkeysNotAsked:
    'Ohne Authenticator-App wird bei einer Anmeldung auf anderem Weg kein Passkey verlangt. Richte eine App ein, um die Bestätigung in zwei Schritten einzuschalten.',
  mailCodeSubject: 'Dein Code für {site}',
  mailCodeText:
    'Jemand meldet sich gerade in deinem Konto bei {site} an oder richtet dafür eine Authenticator-App oder einen Passkey ein. Um fortzufahren, ist dieser Code nötig:\n{code}\nWenn du das nicht bist, gib den Code nicht weiter, und ändere, womit du dich anmeldest.',
  mailAddedSubject: 'Die Bestätigung in zwei Schritten für dein Konto bei {site} wurde eingeschaltet',
  mailAddedText:
    'Am {time} wurde eine Authenticator-App für dein Konto bei {site} eingerichtet, von der Adresse {client}.\nWenn du das nicht warst, wende dich sofort an den Support von {site}.',
  mailRemovedSubject: 'Die Bestätigung in zwei Schritten für dein Konto bei {site} wurde ausgeschaltet',
  mailRemovedText:
    'Am {time} wurden die Authenticator-App und die Wiederherstellungscodes aus deinem Konto bei {site} entfernt, von der Adresse {client}.\nWenn du das nicht warst, melde dich an und richte sofort eine Authenticator-App ein.',
  mailAppRemovedSubject: 'Die Authenticator-App wurde aus deinem Konto bei {site} entfernt',
  mailAppRemovedText:
    'Am {time} wurde die Authenticator-App aus deinem Konto bei {site} entfernt, von der Adresse {client}.\nWenn du das nicht warst, melde dich an und richte sofort eine Authenticator-App ein.',
  mailUsedSubject: 'Ein Wiederherstellungscode deines Kontos bei {site} wurde verwendet',
  mailUsedText:
    'Am {time} wurde ein Wiederherstellungscode deines Kontos bei {site} verwendet, von der Adresse {client}. Verbleibende Codes: {left}.\nWenn du das nicht warst, melde dich an, ändere, womit du dich anmeldest, und erstelle neue Wiederherstellungscodes.',
  mailRenewedSubject: 'Neue Wiederherstellungscodes für dein Konto bei {site}',
  mailRenewedText:
    'Am {time} wurden neue Wiederherstellungscodes für dein Konto bei {site} erstellt, von der Adresse {client}. Die bisherigen gelten nicht mehr.\nWenn du das nicht warst, melde dich an, ändere, womit du dich anmeldest, und erstelle neue Wiederherstellungscodes.',
  mailResetSubject: 'Die Bestätigung in zwei Schritten deines Kontos bei {site} wurde zurückgesetzt',
  mailResetText:
    'Der Support von {site} hat am {time} die Authenticator-App und die Wiederherstellungscodes deines Kontos entfernt. Du bist überall abgemeldet.\nWenn du nicht darum gebeten hast, wende dich sofort an den Support.'
})
