import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** German. */
export const de: Texts = {
  lang: 'de',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Anmelden',
    signout: 'Abmelden',
    'verify-request': 'Posteingang prüfen',
    confirm: 'Anmeldung bestätigen',
    error: 'Fehler',
    'start-again': 'Neu beginnen',
    'other-user': 'Bereits angemeldet',
    'used-link': 'Bereits angemeldet',
    'confirm-link': 'Konten verbinden',
    welcome: 'Willkommen'
  },
  failed: (title) => `Fehler: ${title}`,
  reference: (id) => `Kennung: ${id}`,
  support: 'Support kontaktieren',
  duration: durations('de', {
    second: { one: '# Sekunde', other: '# Sekunden' },
    minute: { one: '# Minute', other: '# Minuten' },
    hour: { one: '# Stunde', other: '# Stunden' },
    day: { one: '# Tag', other: '# Tage' }
  }),
  signIn: {
    heading: 'Anmelden',
    lead: (siteName) => `weiter zu ${siteName}`,
    submit: (provider) => `Mit ${provider} anmelden`,
    byEmail: 'Link zum Anmelden per E-Mail erhalten',
    byEmailInstead: 'Stattdessen einen Link per E-Mail erhalten',
    byCode: 'Code zum Anmelden per E-Mail erhalten',
    byCodeInstead: 'Stattdessen einen Code per E-Mail erhalten',
    byCredentials: 'Mit Zugangsdaten anmelden',
    email: 'E-Mail-Adresse',
    emailExample: 'name@example.com',
    or: 'oder',
    none: 'Hier gibt es noch keine Möglichkeit, sich anzumelden.',
    next: 'Weiter',
    newHere: 'Neu hier?',
    lastUsed: 'Zuletzt verwendet',
    showPassword: 'Passwort anzeigen',
    more: 'Weitere Anmeldemöglichkeiten',
    continueAs: (user) => `Weiter als ${user}`,
    anotherAccount: 'Anderes Konto verwenden',
    wrongPassword: {
      text: 'E-Mail-Adresse oder Passwort ist falsch.',
      next: 'Prüfen Sie beides und versuchen Sie es noch einmal.'
    },
    limited: { text: 'Zu viele Versuche.', next: 'Oder melden Sie sich jetzt auf eine andere Weise an.' }
  },
  stepUp: {
    heading: 'Bestätigen Sie, dass Sie es sind',
    lead: 'Melden Sie sich zum Fortfahren noch einmal mit demselben Konto an.',
    repeat: 'Senden Sie das Formular danach noch einmal ab.',
    mail: (address) => `Code an ${address} senden`,
    none: 'Sie können es hier auf keine Weise bestätigen.',
    another: 'Auf eine andere Weise',
    notNow: 'Nicht jetzt',
    wrongPassword: { text: 'Das Passwort ist falsch.', next: 'Versuchen Sie es noch einmal.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Die Anmeldung konnte nicht abgeschlossen werden.',
      next: 'Versuchen Sie es noch einmal oder melden Sie sich mit einem anderen Konto an.'
    },
    OAuthSignin: {
      text: 'Die Anmeldung konnte nicht begonnen werden.',
      next: 'Versuchen Sie es gleich noch einmal oder melden Sie sich mit einem anderen Konto an.'
    },
    OAuthCallback: {
      text: 'Die Antwort des Anmeldedienstes konnte nicht angenommen werden.',
      next: 'Versuchen Sie es noch einmal oder melden Sie sich mit einem anderen Konto an.'
    },
    OAuthCreateAccount: {
      text: 'Für Sie konnte kein Konto erstellt werden.',
      next: 'Versuchen Sie es gleich noch einmal oder melden Sie sich mit einem anderen Konto an.'
    },
    EmailCreateAccount: {
      text: 'Für diese E-Mail-Adresse konnte kein Konto erstellt werden.',
      next: 'Versuchen Sie es gleich noch einmal oder nehmen Sie eine andere Adresse.'
    },
    Callback: {
      text: 'Bei der Anmeldung ist etwas schiefgegangen.',
      next: 'Versuchen Sie es noch einmal oder melden Sie sich mit einem anderen Konto an.'
    },
    OAuthAccountNotLinked: {
      text: 'Das ist nicht das Konto, mit dem Sie sich hier bisher angemeldet haben.',
      next: 'Melden Sie sich zur Sicherheit mit demselben Konto an wie beim ersten Mal.'
    },
    EmailSignin: {
      text: 'Die E-Mail konnte nicht verschickt werden.',
      next: 'Prüfen Sie die Adresse und versuchen Sie es gleich noch einmal.'
    },
    CredentialsSignin: {
      text: 'Die Anmeldung hat nicht geklappt.',
      next: 'Prüfen Sie bitte, ob Ihre Angaben stimmen.'
    },
    SessionRequired: {
      text: 'Bitte melden Sie sich an, um diese Seite zu sehen.',
      next: 'Danach kommen Sie hierher zurück.'
    },
    UnmetRequirements: {
      text: 'Dieser Anmeldeweg hat nicht genug bestätigt.',
      next: 'Melden Sie sich dort erneut an oder wählen Sie einen anderen Weg.'
    },
    DifferentUser: {
      text: 'Dieses Konto gehört jemand anderem oder ist hier unbekannt.',
      next: 'Verwenden Sie ein Konto der angemeldeten Person oder melden Sie sich zuerst ab.'
    },
    Default: {
      text: 'Die Anmeldung war nicht möglich.',
      next: 'Versuchen Sie es noch einmal oder melden Sie sich mit einem anderen Konto an.'
    }
  },
  reasons: {
    'session-expired': { text: 'Ihre Sitzung ist abgelaufen.', next: 'Melden Sie sich wieder an.' },
    'signed-out': {
      text: 'Sie sind abgemeldet.',
      next: 'Melden Sie sich wieder an, um fortzufahren.'
    },
    invalid: {
      text: 'Geben Sie eine gültige E-Mail-Adresse ein.',
      next: 'Prüfen Sie sie auf Tippfehler.'
    },
    'non-ascii': {
      text: 'E-Mail-Adressen mit Buchstaben wie ä oder é vor dem @ werden nicht unterstützt.',
      next: 'Verwenden Sie eine andere Adresse.'
    },
    captcha: {
      text: 'Die Prüfung, ob Sie ein Mensch sind, ist fehlgeschlagen.',
      next: 'Versuchen Sie es noch einmal.'
    },
    cancelled: {
      text: 'Sie haben die Anmeldung abgebrochen.',
      next: 'Es ist nichts geschehen. Melden Sie sich an, wann immer Sie möchten.'
    },
    expired: { text: 'Die Anmeldung hat zu lange gedauert.', next: 'Bitte beginnen Sie noch einmal.' },
    unavailable: {
      text: 'Der Anmeldedienst antwortet gerade nicht.',
      next: 'Versuchen Sie es in ein paar Minuten noch einmal.'
    },
    misconfigured: {
      text: 'Diese Art der Anmeldung ist nicht richtig eingerichtet.',
      next: 'Bitte geben Sie den Betreibern dieser Website Bescheid.'
    }
  },
  signOut: {
    heading: 'Abmelden',
    question: 'Möchten Sie sich wirklich abmelden?',
    submit: 'Abmelden',
    stay: 'Angemeldet bleiben'
  },
  verifyRequest: {
    heading: 'Prüfen Sie Ihren Posteingang',
    link: 'Wir haben Ihnen einen Link zum Anmelden per E-Mail geschickt.',
    mail: 'Wir haben Ihnen eine E-Mail zum Anmelden geschickt. Öffnen Sie sie, und kommen Sie hierher zurück, wenn Sie den Code daraus verwenden möchten.',
    codeOnly: 'Wir haben Ihnen einen Code per E-Mail geschickt. Geben Sie ihn hier ein, um sich anzumelden.',
    codeElsewhere:
      'Wir haben einen Code per E-Mail geschickt. Geben Sie ihn in dem Browser ein, in dem Sie ihn angefordert haben.',
    code: 'Code aus der E-Mail',
    codeHint: (letters) =>
      `${letters} Buchstaben. Groß- und Kleinschreibung, Leerzeichen und Striche spielen keine Rolle.`,
    wrong: {
      text: 'Dieser Code stimmt nicht.',
      next: 'Vergleichen Sie ihn mit der neuesten E-Mail und versuchen Sie es noch einmal.'
    },
    triesLeft: (left) => (left === 1 ? 'Noch 1 Versuch.' : `Noch ${left} Versuche.`),
    spent: 'Zu viele falsche Codes. Deshalb gilt diese E-Mail nicht mehr.',
    sendNew: (address) => `Neue E-Mail senden an ${address}`,
    submit: 'Anmelden',
    missing: 'Nach einer Minute noch nichts da? Sehen Sie im Spam-Ordner nach.',
    again: 'Neue E-Mail anfordern',
    otherAddress: 'Andere Adresse verwenden'
  },
  confirm: {
    heading: 'Sind Sie das?',
    lead: (siteName) => `Sie haben einen Link zur Anmeldung bei ${siteName} geöffnet, und zwar als:`,
    submit: 'Ja, anmelden',
    warning: 'Wenn Sie diese E-Mail nicht angefordert haben, schließen Sie die Seite. Bisher wurde niemand angemeldet.'
  },
  errors: {
    Configuration: {
      heading: 'Serverfehler',
      text: 'Der Server ist nicht richtig eingerichtet.',
      next: 'Das liegt nicht an Ihnen. Versuchen Sie es später noch einmal, oder geben Sie den Betreibern dieser Website Bescheid.',
      action: 'Zurück zur Anmeldung'
    },
    AccessDenied: {
      heading: 'Kein Zugang',
      text: 'Sie dürfen sich hier nicht anmelden.',
      next: 'Wenn Sie ein anderes Konto haben, versuchen Sie es damit.',
      action: 'Anmelden'
    },
    PermissionRequired: {
      heading: 'Keine Berechtigung',
      text: 'Sie haben dafür keine Berechtigung.',
      next: 'Wenn Sie ein anderes Konto mit dieser Berechtigung haben, verwenden Sie es.',
      action: 'Anderes Konto verwenden'
    },
    Verification: {
      heading: 'Anmeldung nicht möglich',
      text: 'Dieser Link gilt nicht mehr. Er wurde vielleicht schon benutzt oder ist abgelaufen.',
      next: 'Melden Sie sich noch einmal an, dann bekommen Sie einen neuen.',
      action: 'Anmelden'
    },
    ImpersonationForbidden: {
      heading: 'Nicht als andere Person',
      text: 'Sie sind als eine andere Person angemeldet. Das kann nur diese Person selbst tun.',
      next: 'Beenden Sie die Anmeldung als diese Person, und melden Sie sich dann selbst an.',
      action: 'Zurück zur Anmeldung'
    },
    UserSuspended: {
      heading: 'Konto gesperrt',
      text: 'Dieses Konto ist gesperrt. Sie können sich damit zurzeit nicht anmelden.',
      next: 'Wenn Sie das für ein Versehen halten, wenden Sie sich an die Betreiber dieser Website.',
      action: 'Zurück zur Anmeldung'
    },
    RateLimited: {
      heading: 'Zu viele Versuche',
      text: 'In kurzer Zeit gab es viele Anmeldeversuche. Zum Schutz der Konten legen wir eine Pause ein.',
      next: 'Bitte warten Sie eine Weile und versuchen Sie es dann noch einmal.',
      action: 'Zurück zur Anmeldung'
    },
    StoreConflict: {
      heading: 'Das passt nicht zusammen',
      text: 'Diese Website hat schon andere Daten gespeichert, die dem widersprechen. Deshalb wurde nichts gespeichert.',
      next: 'Bitte sagen Sie den Betreibern dieser Website Bescheid.',
      action: 'Zurück zur Anmeldung'
    },
    UserReferenced: {
      heading: 'Konto wird noch gebraucht',
      text: 'Dieses Konto kann nicht gelöscht werden, weil diese Website noch Daten hat, die dazugehören. Es wurde nichts gelöscht und nichts beendet.',
      next: 'Bitte sagen Sie den Betreibern dieser Website Bescheid.',
      action: 'Zurück zur Anmeldung'
    },
    StoreUnavailable: {
      heading: 'Gleich wieder da',
      text: 'Die Anmeldung ist gerade nicht möglich, weil ein Teil dieser Website nicht antwortet.',
      next: 'Sie wurden nicht abgemeldet. Bitte versuchen Sie es in einer Minute noch einmal.',
      action: 'Noch einmal versuchen'
    },
    NotFound: {
      heading: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es keine Seite.',
      next: 'Vielleicht enthält sie einen Tippfehler oder ist veraltet.',
      action: 'Zurück zur Anmeldung'
    },
    Default: {
      heading: 'Fehler',
      text: 'Etwas ist schiefgegangen.',
      next: 'Bitte versuchen Sie es noch einmal. Wenn es wieder geschieht, geben Sie den Betreibern dieser Website Bescheid.',
      action: 'Anmelden'
    }
  },
  wait: (duration) => `Bitte warten Sie ${duration} und versuchen Sie es dann noch einmal.`,
  startAgain: {
    heading: 'Beginnen wir noch einmal',
    text: 'Die Anmeldung hat zu lange gedauert, oder sie wurde in einem anderen Browser begonnen. Es wurde nichts verändert.'
  },
  otherUser: {
    heading: 'Sie sind bereits angemeldet',
    user: 'In diesem Browser ist jetzt angemeldet:',
    text: (provider) =>
      `Davor hatten Sie eine Anmeldung mit ${provider} begonnen. Wir haben sie abgebrochen, damit nichts durcheinandergerät. Machen Sie so weiter oder beginnen Sie noch einmal.`,
    stay: 'So weitermachen'
  },
  confirmLink: {
    heading: 'Dieses Konto verbinden?',
    user: 'Sie sind angemeldet als',
    account: (provider) => `Ihr Konto bei ${provider}:`,
    text: (provider) =>
      `Danach kann sich hier auch anmelden, wer sich bei diesem ${provider}-Konto anmelden kann. Fahren Sie nur fort, wenn beide Ihnen gehören.`,
    submit: 'Verbinden',
    stay: 'Nicht jetzt'
  },
  toSite: (siteName) => `Zurück zu ${siteName}`,
  usedLink: {
    heading: 'Sie sind bereits angemeldet',
    user: 'Sie sind angemeldet als',
    text: 'Dieser Link wurde schon benutzt oder ist abgelaufen. Sie brauchen ihn nicht mehr.',
    submit: 'Weiter'
  },
  welcome: {
    heading: (user) => (user === null ? 'Willkommen' : `Willkommen, ${user}`),
    text: (siteName) => `Ihr Konto bei ${siteName} ist bereit.`,
    submit: 'Weiter'
  },
  mail: {
    subject: (siteName) => `Anmelden bei ${siteName}`,
    heading: (siteName) => `Anmelden bei ${siteName}`,
    identifier: 'Sie melden sich an als',
    submit: 'Anmelden',
    link: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse in Ihrem Browser:',
    code: 'Geben Sie diesen Code auf der Seite ein, auf der Sie diese E-Mail angefordert haben:',
    orCode: 'Oder geben Sie diesen Code auf der Seite ein, auf der Sie diese E-Mail angefordert haben:',
    expiry: (duration) => `Gültig für ${duration} und nur ein einziges Mal.`,
    requested: (details) => `Angefordert: ${details}`,
    ignore:
      'Wenn Sie diese E-Mail nicht angefordert haben, beachten Sie sie nicht. Ohne sie kann sich niemand anmelden.'
  }
}
