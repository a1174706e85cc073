import { de } from './de.ts'
import type { TextKey } from './en.ts'

/** German with *du*: what differs from German with *Sie*. */
export const deInformal = (): Readonly<Record<TextKey, string>> => ({
  ...de(),
  title: 'Dein Konto',
  back: 'Zurück zu deinem Konto',
  verifyText: 'Bestätige vor Änderungen, dass du es bist.',
  profileText: 'Wie die Anwendung dich anspricht.',
  profileSaved: 'Dein Profil wurde gespeichert.',
  emailText: 'Die Adresse, mit der du dich anmeldest und an die du E-Mails bekommst.',
  emailFixed: 'Die Adresse, mit der du dich anmeldest. Sie lässt sich hier nicht ändern.',
  emailUnconfirmed: 'Diese Adresse ist noch nicht bestätigt. Schicke eine E-Mail an sie, um sie zu bestätigen.',
  emailSame: 'Das ist bereits deine E-Mail-Adresse.',
  emailSent: 'Wir haben eine E-Mail an diese Adresse geschickt. Gib hier den Code daraus ein.',
  emailCodeWrong: 'Dieser Code ist falsch. Sieh in die neueste E-Mail.',
  emailChanged: 'Deine E-Mail-Adresse wurde geändert.',
  emailConfirmed: 'Deine E-Mail-Adresse wurde bestätigt.',
  emailWaiting: 'Deine E-Mail-Adresse wird am {time} in {email} geändert.',
  emailWaitingText: 'Um sie jetzt zu ändern, öffne die E-Mail, die wir an deine bisherige Adresse geschickt haben.',
  emailFactorMissing: 'Bestätige die Änderung zuerst mit der Bestätigung in zwei Schritten.',
  emailCancelledText:
    'Die Änderung wurde abgebrochen. Wenn du sie nicht angefordert hast, ist jemand anderes in deinem Konto angemeldet: Melde alle anderen Geräte ab, und ändere, womit du dich anmeldest.',
  emailAgree: 'Änderung deiner E-Mail-Adresse',
  emailAgreeText: 'Jemand, der in deinem Konto angemeldet ist, hat diese E-Mail-Adresse angefordert:',
  emailAgreeEffects:
    'Wenn niemand die Änderung abbricht, gilt sie ab {time}. Du wirst dann auf allen Geräten abgemeldet.',
  emailChangedText: 'Deine E-Mail-Adresse wurde geändert, wie du es angefordert hast. Melde dich noch einmal an.',
  connectionsText: 'Die Konten, mit denen du dich anmelden kannst.',
  lastWayIn: 'Das ist der einzige Zugang zu deinem Konto. Füge zuerst einen anderen hinzu.',
  devicesText: 'Wo du angemeldet bist. Melde ab, was du nicht kennst, und ändere dann, womit du dich anmeldest.',
  devicesSummary: 'Wo du angemeldet bist',
  endOthersText: 'Du bleibst auf diesem Gerät angemeldet. Auf allen anderen ist eine neue Anmeldung nötig.',
  onlyDevice: 'Du bist nur auf diesem Gerät angemeldet.',
  activityText: 'Anmeldungen und Änderungen deines Kontos.',
  data: 'Deine Daten',
  dataText: 'Eine Datei mit dem, was über dich gespeichert ist, in einem Format für andere Programme (JSON).',
  deletionText: 'Das lässt sich nicht rückgängig machen. Wenn du dein Konto löschst:',
  deletionSummary: 'Dein Konto und deine Daten löschen',
  deletionUser: 'Dein Profil und alles, womit du dich anmeldest, werden gelöscht.',
  deletionSessions: 'Du wirst auf allen Geräten abgemeldet.',
  deletionLog:
    'Was in deinem Konto wann geschah, bleibt bis {time} in einem Protokoll, ohne deinen Namen, deine Adresse und deinen Browser.',
  deletionConfirm: 'Gib zur Bestätigung {word} ein.',
  deletionWrong: 'Gib das Wort genau so ein, wie es angezeigt wird.',
  deletionLaterText: 'Bis das Konto gelöscht wird, kannst du es dir anders überlegen. Wenn du bestätigst:',
  deletionLaterUser: 'Dein Profil und alles, womit du dich anmeldest, werden am {time} gelöscht.',
  deletionLaterKeep: 'Bis dahin kannst du dich anmelden und das Konto behalten.',
  deletionPending: 'Dein Konto wird am {time} gelöscht.',
  deletionPendingText: 'Bis dahin kannst du es behalten.',
  deletionWaitingText: 'Um es jetzt zu löschen, öffne die E-Mail, die wir dir geschickt haben.',
  deletionCancelled: 'Dein Konto bleibt bestehen.',
  deletionScheduled: 'Dein Konto wird gelöscht',
  deletionScheduledText:
    'Es wird am {time} gelöscht. Du wurdest abgemeldet. Um es zu behalten, melde dich vorher an und bestätige das auf der Seite deines Kontos.',
  deleted: 'Dein Konto wurde gelöscht',
  deletedText: 'Du wurdest abgemeldet, und deine Daten wurden gelöscht.',
  mailEmailConfirmSubject: 'Bestätige deine neue E-Mail-Adresse für {site}',
  mailEmailConfirmText:
    'Jemand möchte diese Adresse für ein Konto bei {site} verwenden.\nGib diesen Code innerhalb einer Stunde ein, in dem Browser, in dem du die Änderung angefordert hast:\n{code}\nWenn du das nicht warst, ignoriere diese E-Mail. Es wird nichts geändert.',
  mailEmailExistsText:
    'Jemand möchte diese Adresse für ein Konto bei {site} verwenden, aber sie gehört bereits zu einem anderen Konto.\nWenn du das warst, melde dich mit dem anderen Konto an, oder verwende eine andere Adresse.\nWenn du das nicht warst, ignoriere diese E-Mail. Es wurde nichts geändert.',
  mailEmailWaitingSubject: 'Deine E-Mail-Adresse bei {site} wird geändert',
  mailEmailWaitingText:
    'Jemand, der in deinem Konto bei {site} angemeldet ist, hat am {time} eine andere E-Mail-Adresse angefordert, von der Adresse {client} aus. Sie wird am {date} geändert.\nWenn du das warst, bestätige die Änderung, damit sie jetzt gilt.\nWenn du das nicht warst, brich die Änderung ab. Du musst dich dafür nicht anmelden.',
  mailEmailChangedSubject: 'Deine E-Mail-Adresse bei {site} wurde geändert',
  mailEmailChangedText:
    'Dein Konto bei {site} hat am {time} eine andere E-Mail-Adresse bekommen, von der Adresse {client} aus.\nWenn du das warst, ignoriere diese E-Mail.\nWenn du das nicht warst, wende dich an {site}.',
  mailEmailConfirmedSubject: 'Das ist jetzt deine E-Mail-Adresse bei {site}',
  mailEmailConfirmedText:
    'Dein Konto bei {site} verwendet seit dem {time} diese E-Mail-Adresse. Die Änderung kam von der Adresse {client}.\nWenn du das nicht warst, wende dich an {site}.',
  mailEmailUnchangedSubject: 'Deine E-Mail-Adresse bei {site} wurde nicht geändert',
  mailEmailUnchangedText:
    'Die Änderung der E-Mail-Adresse deines Kontos bei {site} wurde am {time} abgebrochen: Ein anderes Konto hat die neue Adresse.\nWenn du weiterhin eine andere Adresse möchtest, fordere sie noch einmal an.',
  mailDeletedSubject: 'Dein Konto bei {site} wurde gelöscht',
  mailDeletedText:
    'Dein Konto bei {site} wurde am {time} gelöscht, von der Adresse {client} aus.\nWenn du das nicht warst, antworte auf diese E-Mail oder wende dich an {site}.',
  mailDeletionScheduledSubject: 'Dein Konto bei {site} wird gelöscht',
  mailDeletionScheduledText:
    'Dein Konto bei {site} wird am {date} gelöscht. Das wurde am {time} von der Adresse {client} aus angefordert.\nUm das Konto zu behalten, melde dich vorher an und bestätige auf der Seite deines Kontos, dass du es behältst.\nWenn du das nicht warst, ändere außerdem, womit du dich anmeldest.',
  mailDeletionWaitingText:
    'Dein Konto bei {site} wird am {date} gelöscht. Das wurde am {time} von der Adresse {client} aus angefordert.\nWenn du das warst, bestätige die Löschung, damit das Konto jetzt gelöscht wird. Um es zu behalten, brich die Löschung ab. Du musst dich dafür nicht anmelden.\nWenn du das nicht warst, ändere außerdem, womit du dich anmeldest.',
  mailDeletionCancelledSubject: 'Dein Konto bei {site} bleibt bestehen',
  mailDeletionCancelledText:
    'Die Löschung deines Kontos bei {site} wurde am {time} abgebrochen, von der Adresse {client} aus.\nWenn du das nicht warst, ändere, womit du dich anmeldest.',
  mailCreatedText:
    'Am {time} wurde mit {provider} ein Konto bei {site} erstellt, von der Adresse {client} aus. Es hat diese E-Mail-Adresse, die niemand bestätigt hat.\nWenn du das warst, bestätige die Adresse in deinem Konto.\nWenn du das nicht warst, ignoriere diese E-Mail. Nur wer deine E-Mails liest, kann die Adresse bestätigen.',
  mailConnectedSubject: '{provider} wurde mit deinem Konto bei {site} verbunden',
  mailConnectedText:
    'Ein Konto von {provider} wurde am {time} mit deinem Konto bei {site} verbunden, von der Adresse {client} aus. Damit ist eine Anmeldung möglich.\nWenn du das nicht warst, trenne es und melde alle anderen Geräte ab.',
  mailDisconnectedSubject: '{provider} wurde von deinem Konto bei {site} getrennt',
  mailDisconnectedText:
    'Mit deinem Konto von {provider} ist seit dem {time} keine Anmeldung bei {site} mehr möglich.\nWenn du das nicht warst, melde dich an und prüfe deine Anmeldemethoden.',
  mailDeviceText:
    'Dein Konto bei {site} wurde auf einem neuen Gerät verwendet: {device}, am {time}, von der Adresse {client} aus.\nWenn du das warst, ignoriere diese E-Mail.\nWenn du das nicht warst, melde dieses Gerät ab und ändere, womit du dich anmeldest.'
})
