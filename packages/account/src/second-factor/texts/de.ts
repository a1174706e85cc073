import { de as mailedCode } from '../../mail/texts/de.ts'
import type { TextKey } from './en.ts'

export const de = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'de',
  summaryOn: 'An',
  toAccount: 'Zurück zu Ihrem Konto',
  summaryOff: 'Aus',
  section: 'Bestätigung in zwei Schritten',
  factorsText:
    'Mit der Bestätigung in zwei Schritten kann sich niemand anmelden, der nur Ihr Passwort kennt oder nur Ihre E-Mails liest.',
  app: 'Authenticator-App',
  appAdded: 'Eingerichtet am {date}.',
  appUsed: 'Zuletzt verwendet am {date}.',
  noApp: 'Es ist keine Authenticator-App eingerichtet.',
  start: 'Authenticator-App einrichten',
  remove: 'Authenticator-App entfernen',
  removeText: 'Auch Ihre Wiederherstellungscodes werden entfernt, und Sie werden überall sonst abgemeldet.',
  removeAlone: 'Sie werden überall sonst abgemeldet.',
  codesLeft: 'Verbleibende Wiederherstellungscodes: {left}.',
  codesFew: 'Sie haben nur noch wenige Wiederherstellungscodes. Erstellen Sie neue.',
  codesMissing: 'Sie haben keine Wiederherstellungscodes. Erstellen Sie neue.',
  createCodes: 'Neue Wiederherstellungs\u00adcodes erstellen',
  createCodesText: 'Die bisherigen Codes gelten dann nicht mehr.',
  verify: 'Für Änderungen Identität bestätigen',
  anyCode: 'Code aus der App oder Wiederherstellungscode',

  enroll: 'Authenticator-App einrichten',
  enrollText:
    'Fügen Sie diesen Schlüssel einer Authenticator-App auf Ihrem Telefon hinzu: Scannen Sie den QR-Code, oder kopieren Sie den Schlüssel.',
  enrollRequired: 'Diese Website verlangt die Bestätigung in zwei Schritten.',
  qrCode: 'QR-Code für die Authenticator-App',
  key: 'Schlüssel für die App',
  code: 'Code aus der App',
  codeHint: '{digits} Ziffern',
  confirm: 'Bestätigen',
  confirmAddress: 'E-Mail-Adresse bestätigen',
  mailText: 'Lassen Sie sich zuerst einen Code per E-Mail schicken, damit nur Sie eine App einrichten können.',

  codes: 'Ihre Wiederherstellungs\u00adcodes',
  codesText:
    'Mit einem dieser Codes können Sie sich ohne die App anmelden, zum Beispiel wenn Sie Ihr Telefon verloren haben. Jeder Code gilt nur einmal. Bewahren Sie die Codes sicher auf: Sie werden nur jetzt angezeigt.',
  codesShown:
    'Ihre Wiederherstellungscodes wurden schon angezeigt. Wenn Sie sie nicht gespeichert haben, erstellen Sie nach der Anmeldung neue.',
  codesDownload: 'Codes herunterladen',
  codesSaved: 'Ich habe die Codes gespeichert',
  back: 'Bestätigung in zwei Schritten',

  challenge: 'Bestätigen Sie, dass Sie es sind',
  challengeText: 'Geben Sie den Code ein, den Ihre Authenticator-App gerade anzeigt.',
  challengePasskey: 'Verwenden Sie Ihren Passkey, um fortzufahren.',
  challengeOther: 'Verwenden Sie einen Passkey oder einen Wiederherstellungscode, um fortzufahren.',
  challengeRecovery: 'Verwenden Sie einen Wiederherstellungscode, um fortzufahren.',
  challengeNone: 'Melden Sie sich auf einem anderen Weg an, oder wenden Sie sich an die Betreiber dieser Website.',
  exhaustedText:
    'Für Ihr Konto wurden viele falsche Codes eingegeben. Deshalb brauchen Sie auch einen Code aus einer E-Mail.',
  continue: 'Weiter',
  trust: 'In diesem Browser {days} lang nicht mehr fragen',
  usePasskey: 'Passkey verwenden',
  needsScript: 'Passkeys setzen JavaScript und einen Browser voraus, der sie unterstützt.',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  recoveryCode: 'Wiederherstellungscode',
  recoveryHint: 'Zehn Buchstaben und Ziffern',

  codeWrong:
    'Der Code ist falsch, abgelaufen oder wurde schon verwendet. Geben Sie den ein, den die App jetzt anzeigt.',
  recoveryWrong: 'Dieser Wiederherstellungscode ist falsch oder wurde schon verwendet.',
  anyWrong: 'Der Code ist falsch oder wurde schon verwendet.',
  passkeyWrong:
    'Der Passkey konnte nicht verwendet werden. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyChanged:
    'Dieser Passkey hat sich geändert, seit er hinzugefügt wurde. Wählen Sie einen anderen Weg, entfernen Sie ihn dann, und fügen Sie ihn neu hinzu.',
  exhausted: 'Es wurden zu viele falsche Codes eingegeben, deshalb genügt ein Code aus der App nicht.',
  expired: 'Das hat zu lange gedauert. Beginnen Sie von vorn.',
  conflict: 'Die Bestätigung in zwei Schritten wurde gerade von anderer Stelle geändert. Versuchen Sie es noch einmal.',
  unverified: 'Um die Bestätigung in zwei Schritten einzurichten, bestätigen Sie zuerst Ihre E-Mail-Adresse.',

  unavailable: 'Sie können die Bestätigung in zwei Schritten nicht einrichten',
  unavailableText: 'Das Konto, mit dem Sie angemeldet sind, wird hier nicht gespeichert.',
  signIn: 'Anmelden',

  step: 'Schritt {step} von 3',
  openApp: 'In Ihrer Authenticator-App öffnen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  goBack: 'Zurück',
  codesPrint: 'Drucken',
  anotherAccount: 'Anderes Konto verwenden',
  lost: 'Ich habe mein Telefon und meine Codes verloren',
  lostTitle: 'Telefon und Codes verloren?',
  lostFactor: 'Telefon oder Passkey verloren?',
  lostText:
    'Suchen Sie zuerst nach den Wiederherstellungscodes: in der Datei {file}, auf Papier oder in Ihrem Passwort-Manager.',
  lostHelp:
    'Wenn Sie sie nicht finden, wenden Sie sich an die Betreiber dieser Website. Sobald diese geprüft haben, dass Sie es sind, können sie die Bestätigung in zwei Schritten für Ihr Konto ausschalten.',
  lostContact:
    'Wenden Sie sich an die Betreiber dieser Website. Sobald diese geprüft haben, dass Sie es sind, können sie die Bestätigung in zwei Schritten für Ihr Konto ausschalten.',
  support: 'Support kontaktieren',
  recoveryCodes: 'Wiederherstellungs\u00adcodes',
  recoveryText:
    'Mit einem Wiederherstellungscode können Sie sich anmelden, wenn Sie Ihr Telefon verloren haben. Jeder gilt nur einmal.',
  noCodes: 'Sie haben noch keine Wiederherstellungscodes.',
  passkeys: 'Passkeys',
  passkeysNotAsked:
    'Ohne Authenticator-App wird bei einer Anmeldung auf anderem Weg kein Passkey verlangt. Richten Sie eine App ein, um die Bestätigung in zwei Schritten einzuschalten.',

  mailCodeSubject: 'Ihr Code für {site}',
  mailCodeText:
    'Jemand meldet sich gerade in Ihrem Konto bei {site} an oder richtet dafür eine Authenticator-App oder einen Passkey ein. Um fortzufahren, ist dieser Code nötig:\n{code}\nWenn Sie das nicht sind, geben Sie den Code nicht weiter, und ändern Sie, womit Sie sich anmelden.',
  mailAddedSubject: 'Die Bestätigung in zwei Schritten für Ihr Konto bei {site} wurde eingeschaltet',
  mailAddedText:
    'Am {time} wurde eine Authenticator-App für Ihr Konto bei {site} eingerichtet, von der Adresse {client}.\nWenn Sie das nicht waren, wenden Sie sich sofort an den Support von {site}.',
  mailRemovedSubject: 'Die Bestätigung in zwei Schritten für Ihr Konto bei {site} wurde ausgeschaltet',
  mailRemovedText:
    'Am {time} wurden die Authenticator-App und die Wiederherstellungscodes aus Ihrem Konto bei {site} entfernt, von der Adresse {client}.\nWenn Sie das nicht waren, melden Sie sich an und richten Sie sofort eine Authenticator-App ein.',
  mailAppRemovedSubject: 'Die Authenticator-App wurde aus Ihrem Konto bei {site} entfernt',
  mailAppRemovedText:
    'Am {time} wurde die Authenticator-App aus Ihrem Konto bei {site} entfernt, von der Adresse {client}.\nWenn Sie das nicht waren, melden Sie sich an und richten Sie sofort eine Authenticator-App ein.',
  mailUsedSubject: 'Ein Wiederherstellungscode Ihres Kontos bei {site} wurde verwendet',
  mailUsedText:
    'Am {time} wurde ein Wiederherstellungscode Ihres Kontos bei {site} verwendet, von der Adresse {client}. Verbleibende Codes: {left}.\nWenn Sie das nicht waren, melden Sie sich an, ändern Sie, womit Sie sich anmelden, und erstellen Sie neue Wiederherstellungscodes.',
  mailRenewedSubject: 'Neue Wiederherstellungscodes für Ihr Konto bei {site}',
  mailRenewedText:
    'Am {time} wurden neue Wiederherstellungscodes für Ihr Konto bei {site} erstellt, von der Adresse {client}. Die bisherigen gelten nicht mehr.\nWenn Sie das nicht waren, melden Sie sich an, ändern Sie, womit Sie sich anmelden, und erstellen Sie neue Wiederherstellungscodes.',
  mailResetSubject: 'Die Bestätigung in zwei Schritten Ihres Kontos bei {site} wurde zurückgesetzt',
  mailResetText:
    'Der Support von {site} hat am {time} die Authenticator-App und die Wiederherstellungscodes Ihres Kontos entfernt. Sie sind überall abgemeldet.\nWenn Sie nicht darum gebeten haben, wenden Sie sich sofort an den Support.',
  mailButton: 'Bestätigung in zwei Schritten prüfen'
})
