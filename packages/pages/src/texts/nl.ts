import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Dutch. */
export const nl: Texts = {
  lang: 'nl',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Inloggen',
    signout: 'Uitloggen',
    'verify-request': 'Bekijk uw e-mail',
    confirm: 'Inloggen bevestigen',
    error: 'Fout',
    'start-again': 'Opnieuw beginnen',
    'other-user': 'Al ingelogd',
    'used-link': 'Al ingelogd',
    'confirm-link': 'Accounts koppelen',
    welcome: 'Welkom'
  },
  failed: (title) => `Fout: ${title}`,
  reference: (id) => `Kenmerk: ${id}`,
  support: 'Contact opnemen met de ondersteuning',
  duration: durations('nl', {
    second: { one: '# seconde', other: '# seconden' },
    minute: { one: '# minuut', other: '# minuten' },
    hour: { one: '# uur', other: '# uur' },
    day: { one: '# dag', other: '# dagen' }
  }),
  signIn: {
    heading: 'Inloggen',
    lead: (siteName) => `om verder te gaan naar ${siteName}`,
    submit: (provider) => `Inloggen met ${provider}`,
    byEmail: 'Per e-mail een link om in te loggen ontvangen',
    byEmailInstead: 'Liever per e-mail een link ontvangen',
    byCode: 'Per e-mail een code om in te loggen ontvangen',
    byCodeInstead: 'Liever per e-mail een code ontvangen',
    byCredentials: 'Inloggen met uw gegevens',
    email: 'E-mailadres',
    emailExample: 'naam@example.com',
    or: 'of',
    none: 'Er is hier nog geen manier om in te loggen.',
    next: 'Doorgaan',
    newHere: 'Nieuw hier?',
    lastUsed: 'Laatst gebruikt',
    showPassword: 'Wachtwoord tonen',
    more: 'Meer manieren om in te loggen',
    continueAs: (user) => `Doorgaan als ${user}`,
    anotherAccount: 'Een ander account gebruiken',
    wrongPassword: { text: 'E-mailadres of wachtwoord klopt niet.', next: 'Controleer beide en probeer het opnieuw.' },
    limited: { text: 'Te veel pogingen.', next: 'Of log nu op een andere manier in.' }
  },
  stepUp: {
    heading: 'Bevestig dat u het bent',
    lead: 'Log opnieuw in met hetzelfde account om door te gaan.',
    repeat: 'Verstuur het formulier daarna opnieuw.',
    mail: (address) => `Code naar ${address} verzenden`,
    none: 'Er is hier geen manier om dat te bevestigen.',
    another: 'Op een andere manier',
    notNow: 'Niet nu',
    wrongPassword: { text: 'Het wachtwoord klopt niet.', next: 'Probeer het opnieuw.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Het inloggen kon niet worden afgerond.',
      next: 'Probeer het opnieuw of log in met een ander account.'
    },
    OAuthSignin: {
      text: 'Het inloggen kon niet worden gestart.',
      next: 'Probeer het zo meteen opnieuw of log in met een ander account.'
    },
    OAuthCallback: {
      text: 'Het antwoord van de inlogdienst kon niet worden geaccepteerd.',
      next: 'Probeer het opnieuw of log in met een ander account.'
    },
    OAuthCreateAccount: {
      text: 'Er kon geen account voor u worden aangemaakt.',
      next: 'Probeer het zo meteen opnieuw of log in met een ander account.'
    },
    EmailCreateAccount: {
      text: 'Er kon geen account worden aangemaakt voor dit e-mailadres.',
      next: 'Probeer het zo meteen opnieuw of gebruik een ander adres.'
    },
    Callback: {
      text: 'Er ging iets mis tijdens het inloggen.',
      next: 'Probeer het opnieuw of log in met een ander account.'
    },
    OAuthAccountNotLinked: {
      text: 'Dit is niet het account dat u hier eerder hebt gebruikt.',
      next: 'Log voor de zekerheid in met hetzelfde account als de eerste keer.'
    },
    EmailSignin: {
      text: 'De e-mail kon niet worden verstuurd.',
      next: 'Controleer het adres en probeer het zo meteen opnieuw.'
    },
    CredentialsSignin: {
      text: 'Het inloggen is niet gelukt.',
      next: 'Controleer of uw gegevens kloppen.'
    },
    SessionRequired: {
      text: 'Log in om deze pagina te bekijken.',
      next: 'Daarna komt u hier terug.'
    },
    UnmetRequirements: {
      text: 'Deze manier van inloggen heeft niet genoeg bevestigd.',
      next: 'Log daar opnieuw in of gebruik een andere manier.'
    },
    DifferentUser: {
      text: 'Dit account is van iemand anders of is hier onbekend.',
      next: 'Gebruik een account van de ingelogde gebruiker of log eerst uit.'
    },
    Default: {
      text: 'Inloggen is niet mogelijk.',
      next: 'Probeer het opnieuw of log in met een ander account.'
    }
  },
  reasons: {
    'session-expired': { text: 'Uw sessie is verlopen.', next: 'Log opnieuw in.' },
    'signed-out': {
      text: 'U bent uitgelogd.',
      next: 'Log opnieuw in om verder te gaan.'
    },
    invalid: {
      text: 'Vul een geldig e-mailadres in.',
      next: 'Controleer het op typefouten.'
    },
    'non-ascii': {
      text: 'E-mailadressen met letters zoals ä of é vóór de @ worden niet ondersteund.',
      next: 'Gebruik een ander adres.'
    },
    captcha: {
      text: 'De controle of u een mens bent, is mislukt.',
      next: 'Probeer het opnieuw.'
    },
    cancelled: {
      text: 'U hebt het inloggen geannuleerd.',
      next: 'Er is niets gebeurd. Log in wanneer u wilt.'
    },
    expired: { text: 'Het inloggen duurde te lang.', next: 'Begin alstublieft opnieuw.' },
    unavailable: {
      text: 'De inlogdienst reageert op dit moment niet.',
      next: 'Probeer het over een paar minuten opnieuw.'
    },
    misconfigured: {
      text: 'Deze manier van inloggen is niet goed ingesteld.',
      next: 'Laat het de beheerders van deze website weten.'
    }
  },
  signOut: {
    heading: 'Uitloggen',
    question: 'Weet u zeker dat u wilt uitloggen?',
    submit: 'Uitloggen',
    stay: 'Ingelogd blijven'
  },
  verifyRequest: {
    heading: 'Bekijk uw e-mail',
    link: 'We hebben u per e-mail een link gestuurd om in te loggen.',
    mail: 'We hebben u een e-mail gestuurd om in te loggen. Open die en kom hier terug als u de code eruit wilt gebruiken.',
    codeOnly: 'We hebben u per e-mail een code gestuurd. Voer die hier in om in te loggen.',
    codeElsewhere: 'We hebben per e-mail een code gestuurd. Voer die in de browser in waarin u erom hebt gevraagd.',
    code: 'Code uit de e-mail',
    codeHint: (letters) => `${letters} letters. Hoofdletters, spaties en streepjes maken niet uit.`,
    wrong: { text: 'Die code klopt niet.', next: 'Vergelijk hem met de nieuwste e-mail en probeer het opnieuw.' },
    triesLeft: (left) => (left === 1 ? 'Nog 1 poging.' : `Nog ${left} pogingen.`),
    spent: 'Te veel verkeerde codes. Deze e-mail is daarom niet meer geldig.',
    sendNew: (address) => `Nieuwe e-mail sturen naar ${address}`,
    submit: 'Inloggen',
    missing: 'Na een minuut nog niets ontvangen? Kijk in uw map met ongewenste e-mail.',
    again: 'Nieuwe e-mail aanvragen',
    otherAddress: 'Een ander adres gebruiken'
  },
  confirm: {
    heading: 'Bent u dit?',
    lead: (siteName) => `U hebt een link geopend om in te loggen bij ${siteName} als:`,
    submit: 'Ja, log mij in',
    warning: 'Hebt u niet om deze e-mail gevraagd? Sluit dan deze pagina. Er is niemand ingelogd.'
  },
  errors: {
    Configuration: {
      heading: 'Serverfout',
      text: 'Er is een probleem met de instellingen van de server.',
      next: 'Het ligt niet aan u. Probeer het later opnieuw of laat het de beheerders van deze website weten.',
      action: 'Terug naar inloggen'
    },
    AccessDenied: {
      heading: 'Geen toegang',
      text: 'U hebt geen toestemming om in te loggen.',
      next: 'Als u een ander account hebt, probeer het dan daarmee.',
      action: 'Inloggen'
    },
    PermissionRequired: {
      heading: 'Geen toestemming',
      text: 'U hebt hiervoor geen toestemming.',
      next: 'Als u een ander account met deze toestemming hebt, gebruik dan dat.',
      action: 'Een ander account gebruiken'
    },
    Verification: {
      heading: 'Inloggen is niet mogelijk',
      text: 'Deze link is niet meer geldig. Misschien is hij al gebruikt of is hij verlopen.',
      next: 'Log opnieuw in om een nieuwe te krijgen.',
      action: 'Inloggen'
    },
    ImpersonationForbidden: {
      heading: 'Niet als een andere gebruiker',
      text: 'U bent aangemeld als een andere gebruiker. Alleen die gebruiker kan dit doen.',
      next: 'Stop met handelen als deze gebruiker en meld u daarna zelf aan.',
      action: 'Terug naar inloggen'
    },
    UserSuspended: {
      heading: 'Account geblokkeerd',
      text: 'Dit account is geblokkeerd. U kunt er niet mee inloggen.',
      next: 'Als u denkt dat dit een vergissing is, neem dan contact op met de beheerders van deze website.',
      action: 'Terug naar inloggen'
    },
    RateLimited: {
      heading: 'Te veel pogingen',
      text: 'Er is in korte tijd vaak geprobeerd in te loggen. We nemen een pauze om accounts te beschermen.',
      next: 'Wacht even en probeer het dan opnieuw.',
      action: 'Terug naar inloggen'
    },
    StoreConflict: {
      heading: 'De gegevens komen niet overeen',
      text: 'Deze website heeft al andere gegevens die hiermee in strijd zijn. Er is niets opgeslagen.',
      next: 'Neem contact op met de beheerders van deze website.',
      action: 'Terug naar inloggen'
    },
    UserReferenced: {
      heading: 'Account is nog in gebruik',
      text: 'Dit account kan niet worden verwijderd, omdat deze website nog gegevens heeft die erbij horen. Er is niets verwijderd of beëindigd.',
      next: 'Neem contact op met de beheerders van deze website.',
      action: 'Terug naar inloggen'
    },
    StoreUnavailable: {
      heading: 'Zo weer terug',
      text: 'Inloggen is nu niet mogelijk, omdat een deel van deze website niet reageert.',
      next: 'U bent niet uitgelogd. Probeer het over een minuut opnieuw.',
      action: 'Opnieuw proberen'
    },
    NotFound: {
      heading: 'Pagina niet gevonden',
      text: 'Op dit adres is geen pagina.',
      next: 'Misschien bevat het een typefout of is het verouderd.',
      action: 'Terug naar inloggen'
    },
    Default: {
      heading: 'Fout',
      text: 'Er ging iets mis.',
      next: 'Probeer het opnieuw. Gebeurt het nog een keer, laat het dan de beheerders van deze website weten.',
      action: 'Inloggen'
    }
  },
  wait: (duration) => `Wacht ${duration} en probeer het dan opnieuw.`,
  startAgain: {
    heading: 'Laten we opnieuw beginnen',
    text: 'Het inloggen duurde te lang of is in een andere browser begonnen. Er is niets veranderd.'
  },
  otherUser: {
    heading: 'U bent al ingelogd',
    user: 'In deze browser is nu ingelogd:',
    text: (provider) =>
      `Daarvoor was u begonnen met inloggen via ${provider}. Dat is gestopt om de twee uit elkaar te houden. Ga zo verder of begin opnieuw.`,
    stay: 'Zo verdergaan'
  },
  confirmLink: {
    heading: 'Dit account koppelen?',
    user: 'U bent ingelogd als',
    account: (provider) => `Uw ${provider}-account:`,
    text: (provider) =>
      `Daarna kan iedereen die bij dit ${provider}-account kan inloggen, ook hier inloggen. Ga alleen verder als beide van u zijn.`,
    submit: 'Koppelen',
    stay: 'Niet nu'
  },
  toSite: (siteName) => `Terug naar ${siteName}`,
  usedLink: {
    heading: 'U bent al ingelogd',
    user: 'U bent ingelogd als',
    text: 'Deze link is al gebruikt of is verlopen. U hebt hem niet meer nodig.',
    submit: 'Doorgaan'
  },
  welcome: {
    heading: (user) => (user === null ? 'Welkom' : `Welkom, ${user}`),
    text: (siteName) => `Uw account bij ${siteName} staat klaar.`,
    submit: 'Doorgaan'
  },
  mail: {
    subject: (siteName) => `Inloggen bij ${siteName}`,
    heading: (siteName) => `Inloggen bij ${siteName}`,
    identifier: 'U logt in als',
    submit: 'Inloggen',
    link: 'Werkt de knop niet? Open dan dit adres in uw browser:',
    code: 'Voer deze code in op de pagina waar u om deze e-mail hebt gevraagd:',
    orCode: 'Of voer deze code in op de pagina waar u om deze e-mail hebt gevraagd:',
    expiry: (duration) => `${duration} geldig, en maar één keer.`,
    requested: (details) => `Aangevraagd: ${details}`,
    ignore: 'Hebt u niet om deze e-mail gevraagd? Negeer hem dan. Zonder deze e-mail kan niemand inloggen.'
  }
}
