import { de } from './de.ts'
import type { Texts } from './texts.ts'

const again = 'Versuche es noch einmal oder melde dich mit einem anderen Konto an.'
const againSoon = 'Versuche es gleich noch einmal oder melde dich mit einem anderen Konto an.'
const { problems, reasons, errors } = de

/** German with *du*: what differs from German with *Sie*. */
export const deInformal: Texts = {
  ...de,
  variant: 'de-informal',
  signIn: {
    ...de.signIn,
    wrongPassword: { ...de.signIn.wrongPassword, next: 'Prüfe beides und versuche es noch einmal.' },
    limited: { ...de.signIn.limited, next: 'Oder melde dich jetzt auf eine andere Weise an.' }
  },
  stepUp: {
    ...de.stepUp,
    heading: 'Bestätige, dass du es bist',
    lead: 'Melde dich zum Fortfahren noch einmal mit demselben Konto an.',
    repeat: 'Sende das Formular danach noch einmal ab.',
    none: 'Du kannst es hier auf keine Weise bestätigen.',
    wrongPassword: { ...de.stepUp.wrongPassword, next: 'Versuche es noch einmal.' }
  },
  problems: {
    Signin: { ...problems.Signin, next: again },
    OAuthSignin: { ...problems.OAuthSignin, next: againSoon },
    OAuthCallback: { ...problems.OAuthCallback, next: again },
    OAuthCreateAccount: { text: 'Für dich konnte kein Konto erstellt werden.', next: againSoon },
    EmailCreateAccount: {
      ...problems.EmailCreateAccount,
      next: 'Versuche es gleich noch einmal oder nimm eine andere Adresse.'
    },
    Callback: { ...problems.Callback, next: again },
    OAuthAccountNotLinked: {
      text: 'Das ist nicht das Konto, mit dem du dich hier bisher angemeldet hast.',
      next: 'Melde dich zur Sicherheit mit demselben Konto an wie beim ersten Mal.'
    },
    EmailSignin: { ...problems.EmailSignin, next: 'Prüfe die Adresse und versuche es gleich noch einmal.' },
    CredentialsSignin: { ...problems.CredentialsSignin, next: 'Prüfe bitte, ob deine Angaben stimmen.' },
    SessionRequired: {
      text: 'Bitte melde dich an, um diese Seite zu sehen.',
      next: 'Danach kommst du hierher zurück.'
    },
    UnmetRequirements: {
      ...problems.UnmetRequirements,
      next: 'Melde dich dort erneut an oder wähle einen anderen Weg.'
    },
    DifferentUser: {
      ...problems.DifferentUser,
      next: 'Verwende ein Konto der angemeldeten Person oder melde dich zuerst ab.'
    },
    Default: { ...problems.Default, next: again }
  },
  reasons: {
    'session-expired': { text: 'Deine Sitzung ist abgelaufen.', next: 'Melde dich wieder an.' },
    'signed-out': { text: 'Du bist abgemeldet.', next: 'Melde dich wieder an, um fortzufahren.' },
    invalid: { text: 'Gib eine gültige E-Mail-Adresse ein.', next: 'Prüfe sie auf Tippfehler.' },
    'non-ascii': { ...reasons['non-ascii'], next: 'Verwende eine andere Adresse.' },
    captcha: { text: 'Die Prüfung, ob du ein Mensch bist, ist fehlgeschlagen.', next: 'Versuche es noch einmal.' },
    cancelled: {
      text: 'Du hast die Anmeldung abgebrochen.',
      next: 'Es ist nichts geschehen. Melde dich an, wann immer du möchtest.'
    },
    expired: { ...reasons.expired, next: 'Bitte beginne noch einmal.' },
    unavailable: { ...reasons.unavailable, next: 'Versuche es in ein paar Minuten noch einmal.' },
    misconfigured: { ...reasons.misconfigured, next: 'Bitte gib den Betreibern dieser Website Bescheid.' }
  },
  signOut: { ...de.signOut, question: 'Möchtest du dich wirklich abmelden?' },
  verifyRequest: {
    ...de.verifyRequest,
    heading: 'Prüfe deinen Posteingang',
    link: 'Wir haben dir einen Link zum Anmelden per E-Mail geschickt.',
    mail: 'Wir haben dir eine E-Mail zum Anmelden geschickt. Öffne sie, und komm hierher zurück, wenn du den Code daraus verwenden möchtest.',
    codeOnly: 'Wir haben dir einen Code per E-Mail geschickt. Gib ihn hier ein, um dich anzumelden.',
    codeElsewhere:
      'Wir haben einen Code per E-Mail geschickt. Gib ihn in dem Browser ein, in dem du ihn angefordert hast.',
    wrong: {
      ...de.verifyRequest.wrong,
      next: 'Vergleiche ihn mit der neuesten E-Mail und versuche es noch einmal.'
    },
    missing: 'Nach einer Minute noch nichts da? Sieh im Spam-Ordner nach.'
  },
  confirm: {
    ...de.confirm,
    heading: 'Bist du das?',
    lead: (siteName) => `Du hast einen Link zur Anmeldung bei ${siteName} geöffnet, und zwar als:`,
    warning: 'Wenn du diese E-Mail nicht angefordert hast, schließe die Seite. Bisher wurde niemand angemeldet.'
  },
  errors: {
    Configuration: {
      ...errors.Configuration,
      next: 'Das liegt nicht an dir. Versuche es später noch einmal, oder gib den Betreibern dieser Website Bescheid.'
    },
    AccessDenied: {
      ...errors.AccessDenied,
      text: 'Du darfst dich hier nicht anmelden.',
      next: 'Wenn du ein anderes Konto hast, versuche es damit.'
    },
    PermissionRequired: {
      ...errors.PermissionRequired,
      text: 'Du hast dafür keine Berechtigung.',
      next: 'Wenn du ein anderes Konto mit dieser Berechtigung hast, verwende es.'
    },
    Verification: { ...errors.Verification, next: 'Melde dich noch einmal an, dann bekommst du einen neuen.' },
    ImpersonationForbidden: {
      ...errors.ImpersonationForbidden,
      text: 'Du bist als eine andere Person angemeldet. Das kann nur diese Person selbst tun.',
      next: 'Beende die Anmeldung als diese Person, und melde dich dann selbst an.'
    },
    UserSuspended: {
      ...errors.UserSuspended,
      text: 'Dieses Konto ist gesperrt. Du kannst dich damit zurzeit nicht anmelden.',
      next: 'Wenn du das für ein Versehen hältst, wende dich an die Betreiber dieser Website.'
    },
    RateLimited: { ...errors.RateLimited, next: 'Bitte warte eine Weile und versuche es dann noch einmal.' },
    StoreConflict: {
      ...errors.StoreConflict,
      next: 'Bitte gib den Betreibern dieser Website Bescheid.'
    },
    UserReferenced: {
      ...errors.UserReferenced,
      next: 'Bitte gib den Betreibern dieser Website Bescheid.'
    },
    StoreUnavailable: {
      ...errors.StoreUnavailable,
      next: 'Du wurdest nicht abgemeldet. Bitte versuche es in einer Minute noch einmal.'
    },
    NotFound: errors.NotFound,
    Default: {
      ...errors.Default,
      next: 'Bitte versuche es noch einmal. Wenn es wieder geschieht, gib den Betreibern dieser Website Bescheid.'
    }
  },
  wait: (duration) => `Bitte warte ${duration} und versuche es dann noch einmal.`,
  otherUser: {
    ...de.otherUser,
    heading: 'Du bist bereits angemeldet',
    text: (provider) =>
      `Davor hattest du eine Anmeldung mit ${provider} begonnen. Wir haben sie abgebrochen, damit nichts durcheinandergerät. Mach so weiter oder beginne noch einmal.`
  },
  confirmLink: {
    ...de.confirmLink,
    user: 'Du bist angemeldet als',
    account: (provider) => `Dein Konto bei ${provider}:`,
    text: (provider) =>
      `Danach kann sich hier auch anmelden, wer sich bei diesem ${provider}-Konto anmelden kann. Fahr nur fort, wenn beide dir gehören.`
  },
  usedLink: {
    ...de.usedLink,
    heading: 'Du bist bereits angemeldet',
    user: 'Du bist angemeldet als',
    text: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Du brauchst ihn nicht mehr.'
  },
  welcome: { ...de.welcome, text: (siteName) => `Dein Konto bei ${siteName} ist bereit.` },
  mail: {
    ...de.mail,
    identifier: 'Du meldest dich an als',
    link: 'Wenn die Schaltfläche nicht funktioniert, öffne diese Adresse in deinem Browser:',
    code: 'Gib diesen Code auf der Seite ein, auf der du diese E-Mail angefordert hast:',
    orCode: 'Oder gib diesen Code auf der Seite ein, auf der du diese E-Mail angefordert hast:',
    ignore: 'Wenn du diese E-Mail nicht angefordert hast, beachte sie nicht. Ohne sie kann sich niemand anmelden.'
  }
}
