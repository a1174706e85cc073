import { de } from './de.ts'
import type { TextKey } from './en.ts'

/** German with *du*: what differs from German with *Sie*. */
export const deInformal: Readonly<Record<TextKey, string>> = {
  ...de,
  title: 'Dein Konto',
  back: 'Zurück zu deinem Konto',
  verifyText: 'Bestätige vor Änderungen, dass du es bist.',
  profileText: 'Wie die Anwendung dich anspricht.',
  profileSaved: 'Dein Profil wurde gespeichert.',
  emailText: 'Die Adresse, mit der du dich anmeldest und an die du E-Mails bekommst.',
  emailFixed: 'Die Adresse, mit der du dich anmeldest. Sie lässt sich hier nicht ändern.',
  emailUnconfirmed: 'Diese Adresse ist noch nicht bestätigt. Schicke eine E-Mail an sie, um sie zu bestätigen.',
  emailSame: 'Das ist bereits deine E-Mail-Adresse.',
  emailSent:
    'Wir haben eine E-Mail an diese Adresse geschickt. Öffne den Link darin in diesem Browser, oder gib den Code ein.',
  emailConfirmText: 'Bestätige, dass dies deine E-Mail-Adresse ist.',
  emailCodeWrong: 'Dieser Code ist falsch. Sieh in die neueste E-Mail.',
  emailBusy: 'Die Adresse wird gerade geändert. Versuche es in einer Minute noch einmal.',
  emailDelayed:
    'In den letzten 7 Tagen wurde etwas entfernt, womit du dich anmeldest. Bis {time} lässt sich die Adresse nur nach einer Anmeldung mit einem Passwort oder Passkey ändern, der älter als 7 Tage ist.',
  emailChanged: 'Deine E-Mail-Adresse wurde geändert.',
  emailConfirmed: 'Deine E-Mail-Adresse wurde bestätigt.',
  emailElsewhere: 'Öffne den Link im selben Browser',
  emailElsewhereText:
    'Der Link gilt nur in dem Browser, in dem du die Änderung angefordert hast, solange du dort angemeldet bist. Er gilt einmal, eine Stunde lang. Es wurde nichts geändert.',
  emailUndo: 'Änderung deiner E-Mail-Adresse rückgängig machen',
  emailUndoText: 'Dein Konto bekommt diese Adresse zurück:',
  emailUndoEffects:
    'Du wirst auf allen Geräten abgemeldet. Was seit der Änderung zum Konto hinzugefügt wurde, wird entfernt, und das Passwort von vor der Änderung gilt wieder.',
  emailUndoEffectsNoPassword:
    'Du wirst auf allen Geräten abgemeldet. Was seit der Änderung zum Konto hinzugefügt wurde, wird entfernt.',
  emailUndoProof:
    'Der Link allein genügt nicht. Gib das Passwort ein, das du vor der Änderung hattest, oder melde dich mit einem Konto oder Passkey von vor der Änderung an.',
  emailUndoProofPassword: 'Der Link allein genügt nicht. Gib das Passwort ein, das du vor der Änderung hattest.',
  emailUndoProofSignIn:
    'Der Link allein genügt nicht. Melde dich mit einem Konto oder Passkey von vor der Änderung an.',
  emailUndoAgain:
    'Du hast dich vor der Änderung angemeldet. Melde dich noch einmal an, um zu bestätigen, dass das Konto vorher dir gehörte.',
  emailUndoUnproven: 'Das beweist nicht, dass das Konto vor der Änderung deines war. Prüfe das Passwort.',
  emailUndoTries: 'Zu viele falsche Passwörter. Melde dich mit einem Konto oder Passkey von vor der Änderung an.',
  emailUndoneText:
    'Dein Konto hat wieder die frühere E-Mail-Adresse, und alle Geräte sind abgemeldet. Melde dich an, und prüfe dein Konto.',
  connectionsText: 'Die Konten, mit denen du dich anmelden kannst.',
  lastWayIn: 'Das ist der einzige Zugang zu deinem Konto. Füge zuerst einen anderen hinzu.',
  undoNeeded:
    'Mit diesem Konto lässt sich die letzte Änderung deiner E-Mail-Adresse rückgängig machen. Du kannst es 7 Tage nach der Änderung trennen.',
  devicesText: 'Wo du angemeldet bist. Melde ab, was du nicht kennst, und ändere dann dein Passwort.',
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
  deletionCancelled: 'Dein Konto bleibt bestehen.',
  deletionBusy: 'Eine andere Änderung des Kontos läuft gerade. Versuche es in einer Minute noch einmal.',
  deletionScheduled: 'Dein Konto wird gelöscht',
  deletionScheduledText:
    'Es wird am {time} gelöscht. Du wurdest abgemeldet. Um es zu behalten, melde dich vorher an und bestätige das auf der Seite deines Kontos.',
  deleted: 'Dein Konto wurde gelöscht',
  deletedText: 'Du wurdest abgemeldet, und deine Daten wurden gelöscht.',
  mailEmailConfirmSubject: 'Bestätige deine neue E-Mail-Adresse für {site}',
  mailEmailConfirmText:
    'Jemand möchte diese Adresse für ein Konto bei {site} verwenden.\nBestätige die Adresse innerhalb einer Stunde, in dem Browser, in dem du die Änderung angefordert hast. Dort kannst du auch diesen Code eingeben:\n{code}\nWenn du das nicht warst, ignoriere diese E-Mail. Es wird nichts geändert.',
  mailEmailExistsText:
    'Jemand möchte diese Adresse für ein Konto bei {site} verwenden, aber sie gehört bereits zu einem anderen Konto.\nWenn du das warst, melde dich mit dem anderen Konto an, oder verwende eine andere Adresse.\nWenn du das nicht warst, ignoriere diese E-Mail. Es wurde nichts geändert.',
  mailEmailChangedSubject: 'Deine E-Mail-Adresse bei {site} wurde geändert',
  mailEmailChangedText:
    'Dein Konto bei {site} hat am {time} eine andere E-Mail-Adresse bekommen, von der Adresse {client} aus.\nWenn du das warst, ignoriere diese E-Mail.\nWenn du das nicht warst, mach die Änderung innerhalb von 7 Tagen rückgängig. Dafür brauchst du das Passwort, das du vorher hattest, oder einen anderen Zugang von vorher.',
  mailEmailMovedText:
    'Dein Konto bei {site} hat am {time} eine andere E-Mail-Adresse bekommen, von der Adresse {client} aus.\nWenn du das warst, ignoriere diese E-Mail.\nWenn du das nicht warst, wende dich an {site}.',
  mailEmailConfirmedSubject: 'Das ist jetzt deine E-Mail-Adresse bei {site}',
  mailEmailConfirmedText:
    'Dein Konto bei {site} verwendet seit dem {time} diese E-Mail-Adresse. Die Änderung kam von der Adresse {client}.\nWenn du das nicht warst, wende dich an {site}.',
  mailEmailUndoneSubject: 'Die Änderung deiner E-Mail-Adresse bei {site} wurde rückgängig gemacht',
  mailEmailUndoneText:
    'Das Konto bei {site} hat am {time} seine frühere E-Mail-Adresse zurückbekommen, von der Adresse {client} aus. Alle Geräte wurden abgemeldet, und was seit der Änderung hinzugefügt wurde, wurde entfernt.\nWenn du das nicht warst, wende dich an {site}.',
  mailDeletedSubject: 'Dein Konto bei {site} wurde gelöscht',
  mailDeletedText:
    'Dein Konto bei {site} wurde am {time} gelöscht, von der Adresse {client} aus.\nWenn du das nicht warst, antworte auf diese E-Mail oder wende dich an {site}.',
  mailDeletionScheduledSubject: 'Dein Konto bei {site} wird gelöscht',
  mailDeletionScheduledText:
    'Dein Konto bei {site} wird am {date} gelöscht. Das wurde am {time} von der Adresse {client} aus angefordert.\nUm das Konto zu behalten, melde dich vorher an und bestätige auf der Seite deines Kontos, dass du es behältst.\nWenn du das nicht warst, ändere außerdem, womit du dich anmeldest.',
  mailDeletionCancelledSubject: 'Dein Konto bei {site} bleibt bestehen',
  mailDeletionCancelledText:
    'Die Löschung deines Kontos bei {site} wurde am {time} abgebrochen, von der Adresse {client} aus.\nWenn du das nicht warst, ändere, womit du dich anmeldest.',
  mailConnectedSubject: '{provider} wurde mit deinem Konto bei {site} verbunden',
  mailConnectedText:
    'Ein Konto von {provider} wurde am {time} mit deinem Konto bei {site} verbunden, von der Adresse {client} aus. Damit ist eine Anmeldung möglich.\nWenn du das nicht warst, trenne es und melde alle anderen Geräte ab.',
  mailDisconnectedSubject: '{provider} wurde von deinem Konto bei {site} getrennt',
  mailDisconnectedText:
    'Mit deinem Konto von {provider} ist seit dem {time} keine Anmeldung bei {site} mehr möglich.\nWenn du das nicht warst, melde dich an und prüfe deine Anmeldemethoden.',
  mailDeviceText:
    'Dein Konto bei {site} wurde auf einem neuen Gerät verwendet: {device}, am {time}, von der Adresse {client} aus.\nWenn du das warst, ignoriere diese E-Mail.\nWenn du das nicht warst, melde dieses Gerät ab und ändere, womit du dich anmeldest.'
}
