import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Italian. */
export const it: Texts = {
  lang: 'it',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Accedi',
    signout: 'Esci',
    'verify-request': 'Controlli la posta',
    confirm: 'Conferma dell’accesso',
    error: 'Errore',
    'start-again': 'Ricominciamo',
    'other-user': 'Accesso già effettuato',
    'used-link': 'Accesso già effettuato',
    'confirm-link': 'Collega account',
    welcome: 'Le diamo il benvenuto'
  },
  failed: (title) => `Errore: ${title}`,
  reference: (id) => `Riferimento: ${id}`,
  duration: durations('it', {
    second: { one: '# secondo', other: '# secondi' },
    minute: { one: '# minuto', other: '# minuti' },
    hour: { one: '# ora', other: '# ore' },
    day: { one: '# giorno', other: '# giorni' }
  }),
  signIn: {
    heading: 'Accedi',
    lead: (siteName) => `per continuare su ${siteName}`,
    submit: (provider) => `Accedi con ${provider}`,
    byEmail: 'Ricevi un link di accesso per e-mail',
    byEmailInstead: 'Ricevi invece un link per e-mail',
    byCode: 'Ricevi un codice di accesso per e-mail',
    byCodeInstead: 'Ricevi invece un codice per e-mail',
    byCredentials: 'Accedi con le credenziali',
    email: 'Indirizzo e-mail',
    emailExample: 'nome@example.com',
    or: 'oppure',
    none: 'Qui non c’è ancora alcun modo per accedere.',
    next: 'Continua',
    newHere: 'Prima volta qui?',
    lastUsed: 'Ultimo usato',
    showPassword: 'Mostra la password',
    more: 'Altri modi per accedere',
    continueAs: (user) => `Continua come ${user}`,
    anotherAccount: 'Usa un altro account',
    wrongPassword: { text: 'E-mail o password non corrette.', next: 'Controlli entrambe e riprovi.' },
    limited: { text: 'Troppi tentativi.', next: 'Oppure acceda subito in un altro modo.' }
  },
  stepUp: {
    heading: 'Conferma la tua identità',
    lead: 'Per continuare, accedi di nuovo con lo stesso account.',
    repeat: 'Poi invia di nuovo il modulo.',
    mail: (address) => `Invia un codice a ${address}`,
    none: 'Qui non c’è alcun modo per confermarla.'
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Non è stato possibile completare l’accesso.',
      next: 'Riprovi oppure acceda con un altro account.'
    },
    OAuthSignin: {
      text: 'Non è stato possibile avviare l’accesso.',
      next: 'Riprovi tra un momento oppure acceda con un altro account.'
    },
    OAuthCallback: {
      text: 'Non è stato possibile accettare la risposta del servizio di accesso.',
      next: 'Riprovi oppure acceda con un altro account.'
    },
    OAuthCreateAccount: {
      text: 'Non è stato possibile creare un account per Lei.',
      next: 'Riprovi tra un momento oppure acceda con un altro account.'
    },
    EmailCreateAccount: {
      text: 'Non è stato possibile creare un account per questo indirizzo e-mail.',
      next: 'Riprovi tra un momento oppure usi un altro indirizzo.'
    },
    Callback: {
      text: 'Si è verificato un problema durante l’accesso.',
      next: 'Riprovi oppure acceda con un altro account.'
    },
    OAuthAccountNotLinked: {
      text: 'Questo non è l’account che ha usato qui in precedenza.',
      next: 'Per confermare la Sua identità, acceda con lo stesso account usato la prima volta.'
    },
    EmailSignin: {
      text: 'Non è stato possibile inviare l’e-mail.',
      next: 'Controlli l’indirizzo e riprovi tra un momento.'
    },
    CredentialsSignin: {
      text: 'Accesso non riuscito.',
      next: 'Controlli che i dati inseriti siano corretti.'
    },
    SessionRequired: {
      text: 'Per vedere questa pagina è necessario accedere.',
      next: 'Dopo l’accesso tornerà qui.'
    },
    UnmetRequirements: {
      text: 'Questo metodo di accesso non ha confermato abbastanza.',
      next: 'Accedi di nuovo lì oppure usa un altro metodo.'
    },
    DifferentUser: {
      text: 'Questo account appartiene a qualcun altro o qui non è di nessuno.',
      next: 'Usa un account dell’utente connesso oppure esci prima.'
    },
    Default: {
      text: 'Non è stato possibile accedere.',
      next: 'Riprovi oppure acceda con un altro account.'
    }
  },
  reasons: {
    'session-expired': { text: 'La sessione è scaduta.', next: 'Acceda di nuovo.' },
    'signed-out': {
      text: 'Ha effettuato l’uscita.',
      next: 'Acceda di nuovo per continuare.'
    },
    invalid: {
      text: 'Inserisca un indirizzo e-mail valido.',
      next: 'Controlli che non ci siano errori di battitura.'
    },
    cancelled: {
      text: 'Ha annullato l’accesso.',
      next: 'Non è cambiato nulla. Può accedere quando vuole.'
    },
    expired: { text: 'L’accesso ha richiesto troppo tempo.', next: 'Ricominci, per favore.' },
    unavailable: {
      text: 'Il servizio di accesso al momento non risponde.',
      next: 'Riprovi tra qualche minuto.'
    },
    misconfigured: {
      text: 'Questo modo di accedere non è configurato correttamente.',
      next: 'Avvisi i responsabili di questo sito, per favore.'
    }
  },
  signOut: {
    heading: 'Esci',
    question: 'Vuole davvero uscire?',
    submit: 'Esci',
    stay: 'Non uscire'
  },
  verifyRequest: {
    heading: 'Controlli la posta',
    link: 'Le abbiamo inviato per e-mail un link per accedere.',
    mail: 'Le abbiamo inviato un’e-mail per accedere. La apra e torni qui se vuole usare il codice che contiene.',
    codeOnly: 'Le abbiamo inviato un codice per e-mail. Lo inserisca qui per accedere.',
    codeElsewhere: 'Abbiamo inviato un codice per e-mail. Lo inserisca nel browser in cui lo ha richiesto.',
    code: 'Codice ricevuto per e-mail',
    codeHint: (letters) => `${letters} lettere. Maiuscole, spazi e trattini non contano.`,
    wrong: { text: 'Il codice non è corretto.', next: 'Lo confronti con l’e-mail più recente e riprovi.' },
    triesLeft: (left) => (left === 1 ? 'Resta 1 tentativo.' : `Restano ${left} tentativi.`),
    spent: 'Troppi codici errati: questa e-mail non è più valida.',
    sendNew: (address) => `Invia una nuova e-mail a ${address}`,
    submit: 'Accedi',
    missing: 'Dopo un minuto non è arrivato nulla? Guardi nella cartella della posta indesiderata.',
    again: 'Richiedi una nuova e-mail',
    otherAddress: 'Usa un altro indirizzo'
  },
  confirm: {
    heading: 'È Lei?',
    lead: (siteName) => `Ha aperto un link per accedere a ${siteName} come:`,
    submit: 'Sì, accedi',
    warning: 'Se non ha richiesto questa e-mail, chiuda la pagina. Nessuno ha effettuato l’accesso.'
  },
  errors: {
    Configuration: {
      heading: 'Errore del server',
      text: 'C’è un problema nella configurazione del server.',
      next: 'Non dipende da Lei. Riprovi più tardi oppure avvisi i responsabili di questo sito.',
      action: 'Torna all’accesso'
    },
    AccessDenied: {
      heading: 'Accesso negato',
      text: 'Non è autorizzato ad accedere.',
      next: 'Se ha un altro account, provi con quello.',
      action: 'Accedi'
    },
    Verification: {
      heading: 'Impossibile accedere',
      text: 'Il link non è più valido. Potrebbe essere già stato usato o essere scaduto.',
      next: 'Acceda di nuovo per riceverne un altro.',
      action: 'Accedi'
    },
    ImpersonationForbidden: {
      heading: 'Non come un altro utente',
      text: 'L’accesso è stato effettuato come un altro utente. Solo quell’utente può farlo.',
      next: 'Smetti di agire come questo utente, poi accedi con il tuo account.',
      action: 'Torna all’accesso'
    },
    UserSuspended: {
      heading: 'Account sospeso',
      text: 'Questo account è stato sospeso: non può usarlo per accedere.',
      next: 'Se ritiene che si tratti di un errore, contatti i responsabili di questo sito.',
      action: 'Torna all’accesso'
    },
    RateLimited: {
      heading: 'Troppi tentativi',
      text: 'Ci sono stati molti tentativi di accesso in poco tempo. Facciamo una pausa per proteggere gli account.',
      next: 'Attenda un po’ e poi riprovi.',
      action: 'Torna all’accesso'
    },
    StoreUnavailable: {
      heading: 'Torniamo tra un momento',
      text: 'In questo momento non è possibile accedere, perché una parte di questo sito non risponde.',
      next: 'La Sua sessione non è stata chiusa. Riprovi tra un minuto.',
      action: 'Riprova'
    },
    NotFound: {
      heading: 'Pagina non trovata',
      text: 'A questo indirizzo non c’è nessuna pagina.',
      next: 'Forse è stato digitato male o non esiste più.',
      action: 'Torna all’accesso'
    },
    Default: {
      heading: 'Errore',
      text: 'Si è verificato un problema.',
      next: 'Riprovi. Se succede ancora, avvisi i responsabili di questo sito.',
      action: 'Accedi'
    }
  },
  wait: (duration) => `Attenda ${duration} e poi riprovi.`,
  startAgain: {
    heading: 'Ricominciamo',
    text: 'Questo accesso ha richiesto troppo tempo oppure è stato avviato in un altro browser. Non è cambiato nulla.'
  },
  otherUser: {
    heading: 'L’accesso è già stato effettuato',
    user: 'In questo browser ora è aperta la sessione di:',
    text: (provider) =>
      `In precedenza aveva iniziato ad accedere con ${provider}. Lo abbiamo interrotto per non confondere i due accessi. Continui così oppure ricominci.`,
    stay: 'Continua così'
  },
  confirmLink: {
    heading: 'Collegare questo account?',
    user: 'Accesso effettuato come',
    account: (provider) => `Il suo account ${provider}:`,
    text: (provider) =>
      `Dopo, chi può accedere a questo account ${provider} potrà accedere anche qui. Continui solo se entrambi sono suoi.`,
    submit: 'Collega',
    stay: 'Non ora'
  },
  usedLink: {
    heading: 'L’accesso è già stato effettuato',
    user: 'Accesso effettuato come',
    text: 'Questo link è già stato usato o è scaduto. Non è più necessario.',
    submit: 'Continua'
  },
  welcome: {
    heading: (user) => (user === null ? 'Le diamo il benvenuto' : `Le diamo il benvenuto, ${user}`),
    text: (siteName) => `Il Suo account su ${siteName} è pronto.`,
    submit: 'Continua'
  },
  mail: {
    subject: (siteName) => `Accesso a ${siteName}`,
    heading: (siteName) => `Accesso a ${siteName}`,
    identifier: 'Sta per accedere come',
    submit: 'Accedi',
    link: 'Se il pulsante non funziona, apra questo indirizzo nel browser:',
    code: 'Inserisca questo codice nella pagina in cui ha richiesto questa e-mail:',
    orCode: 'Oppure inserisca questo codice nella pagina in cui ha richiesto questa e-mail:',
    expiry: (duration) => `Valido per ${duration} e una sola volta.`,
    requested: (details) => `Richiesta: ${details}`,
    ignore: 'Se non ha richiesto questa e-mail, la ignori. Senza di essa nessuno può accedere.'
  }
}
