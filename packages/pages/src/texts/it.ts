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
    'verify-request': 'Controlla la posta',
    confirm: 'Conferma dell’accesso',
    error: 'Errore',
    'start-again': 'Ricominciamo',
    'other-user': 'Accesso già effettuato',
    'used-link': 'Accesso già effettuato',
    'confirm-link': 'Collega account',
    welcome: 'Ti diamo il benvenuto'
  },
  failed: (title) => `Errore: ${title}`,
  reference: (id) => `Riferimento: ${id}`,
  support: 'Contatta l’assistenza',
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
    byEmail: 'Ricevi un link di accesso per email',
    byEmailInstead: 'Ricevi invece un link per email',
    byCode: 'Ricevi un codice di accesso per email',
    byCodeInstead: 'Ricevi invece un codice per email',
    byCredentials: 'Accedi con le credenziali',
    email: 'Indirizzo email',
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
    wrongPassword: { text: 'Email o password non corrette.', next: 'Controlla entrambe e riprova.' },
    limited: { text: 'Troppi tentativi.', next: 'Oppure accedi subito in un altro modo.' }
  },
  stepUp: {
    heading: 'Conferma la tua identità',
    lead: 'Per continuare, accedi di nuovo con lo stesso account.',
    repeat: 'Poi invia di nuovo il modulo.',
    mail: (address) => `Invia un codice a ${address}`,
    none: 'Qui non c’è alcun modo per confermarla.',
    another: 'Un altro modo',
    notNow: 'Non ora',
    wrongPassword: { text: 'Password non corretta.', next: 'Riprova.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'Non è stato possibile completare l’accesso.',
      next: 'Riprova oppure accedi con un altro account.'
    },
    OAuthSignin: {
      text: 'Non è stato possibile avviare l’accesso.',
      next: 'Riprova tra un momento oppure accedi con un altro account.'
    },
    OAuthCallback: {
      text: 'Non è stato possibile accettare la risposta del servizio di accesso.',
      next: 'Riprova oppure accedi con un altro account.'
    },
    OAuthCreateAccount: {
      text: 'Non è stato possibile creare un account per te.',
      next: 'Riprova tra un momento oppure accedi con un altro account.'
    },
    EmailCreateAccount: {
      text: 'Non è stato possibile creare un account per questo indirizzo email.',
      next: 'Riprova tra un momento oppure usa un altro indirizzo.'
    },
    Callback: {
      text: 'Si è verificato un problema durante l’accesso.',
      next: 'Riprova oppure accedi con un altro account.'
    },
    OAuthAccountNotLinked: {
      text: 'Questo non è l’account che hai usato qui in precedenza.',
      next: 'Per confermare la tua identità, accedi con lo stesso account usato la prima volta.'
    },
    EmailSignin: {
      text: 'Non è stato possibile inviare l’email.',
      next: 'Controlla l’indirizzo e riprova tra un momento.'
    },
    CredentialsSignin: {
      text: 'Accesso non riuscito.',
      next: 'Controlla che i dati inseriti siano corretti.'
    },
    SessionRequired: {
      text: 'Per vedere questa pagina è necessario accedere.',
      next: 'Dopo l’accesso tornerai qui.'
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
      next: 'Riprova oppure accedi con un altro account.'
    }
  },
  reasons: {
    'session-expired': { text: 'La sessione è scaduta.', next: 'Accedi di nuovo.' },
    'signed-out': {
      text: 'Hai effettuato l’uscita.',
      next: 'Accedi di nuovo per continuare.'
    },
    invalid: {
      text: 'Inserisci un indirizzo email valido.',
      next: 'Controlla che non ci siano errori di battitura.'
    },
    'non-ascii': {
      text: 'Gli indirizzi email con lettere come ä o é prima della @ non sono supportati.',
      next: 'Usa un altro indirizzo.'
    },
    captcha: {
      text: 'La verifica che tu sia una persona non è riuscita.',
      next: 'Riprova.'
    },
    cancelled: {
      text: 'Hai annullato l’accesso.',
      next: 'Non è cambiato nulla. Puoi accedere quando vuoi.'
    },
    expired: { text: 'L’accesso ha richiesto troppo tempo.', next: 'Ricomincia, per favore.' },
    unavailable: {
      text: 'Il servizio di accesso al momento non risponde.',
      next: 'Riprova tra qualche minuto.'
    },
    misconfigured: {
      text: 'Questo modo di accedere non è configurato correttamente.',
      next: 'Avvisa i responsabili di questo sito, per favore.'
    }
  },
  signOut: {
    heading: 'Esci',
    question: 'Vuoi davvero uscire?',
    submit: 'Esci',
    stay: 'Non uscire'
  },
  verifyRequest: {
    heading: 'Controlla la posta',
    link: 'Ti abbiamo inviato per email un link per accedere.',
    mail: 'Ti abbiamo inviato un’email per accedere. Aprila e torna qui se vuoi usare il codice che contiene.',
    codeOnly: 'Ti abbiamo inviato un codice per email. Inseriscilo qui per accedere.',
    codeElsewhere: 'Abbiamo inviato un codice per email. Inseriscilo nel browser in cui lo hai richiesto.',
    code: 'Codice ricevuto per email',
    codeHint: (letters) => `${letters} lettere. Maiuscole, spazi e trattini non contano.`,
    wrong: { text: 'Il codice non è corretto.', next: 'Confrontalo con l’email più recente e riprova.' },
    triesLeft: (left) => (left === 1 ? 'Resta 1 tentativo.' : `Restano ${left} tentativi.`),
    spent: 'Troppi codici errati: questa email non è più valida.',
    sendNew: (address) => `Invia una nuova email a ${address}`,
    submit: 'Accedi',
    missing: 'Dopo un minuto non è arrivato nulla? Guarda nella cartella della posta indesiderata.',
    again: 'Richiedi una nuova email',
    otherAddress: 'Usa un altro indirizzo'
  },
  confirm: {
    heading: 'Sei tu?',
    lead: (siteName) => `Hai aperto un link per accedere a ${siteName} come:`,
    submit: 'Sì, accedi',
    warning: 'Se non hai richiesto questa email, chiudi la pagina. Nessuno ha effettuato l’accesso.'
  },
  errors: {
    Configuration: {
      heading: 'Errore del server',
      text: 'C’è un problema nella configurazione del server.',
      next: 'Non dipende da te. Riprova più tardi oppure avvisa i responsabili di questo sito.',
      action: 'Torna all’accesso'
    },
    AccessDenied: {
      heading: 'Accesso negato',
      text: 'Non hai il permesso di accedere.',
      next: 'Se hai un altro account, prova con quello.',
      action: 'Accedi'
    },
    PermissionRequired: {
      heading: 'Permesso mancante',
      text: 'Non hai il permesso per questa operazione.',
      next: 'Se hai un altro account con questo permesso, usalo.',
      action: 'Usa un altro account'
    },
    Verification: {
      heading: 'Impossibile accedere',
      text: 'Il link non è più valido. Potrebbe essere già stato usato o essere scaduto.',
      next: 'Accedi di nuovo per riceverne un altro.',
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
      text: 'Questo account è stato sospeso: non puoi usarlo per accedere.',
      next: 'Se ritieni che si tratti di un errore, contatta i responsabili di questo sito.',
      action: 'Torna all’accesso'
    },
    RateLimited: {
      heading: 'Troppi tentativi',
      text: 'Ci sono stati molti tentativi di accesso in poco tempo. Facciamo una pausa per proteggere gli account.',
      next: 'Attendi un po’ e poi riprova.',
      action: 'Torna all’accesso'
    },
    StoreConflict: {
      heading: 'I dati non coincidono',
      text: 'Questo sito contiene già altri dati in contrasto con questi, perciò non è stato salvato nulla.',
      next: 'Contatta i responsabili di questo sito.',
      action: 'Torna all’accesso'
    },
    UserReferenced: {
      heading: 'Account ancora in uso',
      text: 'Questo account non può essere eliminato, perché questo sito contiene ancora dati che ne dipendono. Non è stato eliminato né chiuso nulla.',
      next: 'Contatta i responsabili di questo sito.',
      action: 'Torna all’accesso'
    },
    StoreUnavailable: {
      heading: 'Torniamo tra un momento',
      text: 'In questo momento non è possibile accedere, perché una parte di questo sito non risponde.',
      next: 'La tua sessione non è stata chiusa. Riprova tra un minuto.',
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
      next: 'Riprova. Se succede ancora, avvisa i responsabili di questo sito.',
      action: 'Accedi'
    }
  },
  wait: (duration) => `Attendi ${duration} e poi riprova.`,
  startAgain: {
    heading: 'Ricominciamo',
    text: 'Questo accesso ha richiesto troppo tempo oppure è stato avviato in un altro browser. Non è cambiato nulla.'
  },
  otherUser: {
    heading: 'L’accesso è già stato effettuato',
    user: 'In questo browser ora è aperta la sessione di:',
    text: (provider) =>
      `In precedenza avevi iniziato ad accedere con ${provider}. Lo abbiamo interrotto per non confondere i due accessi. Continua così oppure ricomincia.`,
    stay: 'Continua così'
  },
  confirmLink: {
    heading: 'Collegare questo account?',
    user: 'Accesso effettuato come',
    account: (provider) => `Il tuo account ${provider}:`,
    text: (provider) =>
      `Dopo, chi può accedere a questo account ${provider} potrà accedere anche qui. Continua solo se entrambi sono tuoi.`,
    submit: 'Collega',
    stay: 'Non ora'
  },
  toSite: (siteName) => `Torna a ${siteName}`,
  usedLink: {
    heading: 'L’accesso è già stato effettuato',
    user: 'Accesso effettuato come',
    text: 'Questo link è già stato usato o è scaduto. Non è più necessario.',
    submit: 'Continua'
  },
  welcome: {
    heading: (user) => (user === null ? 'Ti diamo il benvenuto' : `Ti diamo il benvenuto, ${user}`),
    text: (siteName) => `Il tuo account su ${siteName} è pronto.`,
    submit: 'Continua'
  },
  mail: {
    subject: (siteName) => `Accesso a ${siteName}`,
    heading: (siteName) => `Accesso a ${siteName}`,
    identifier: 'Stai per accedere come',
    submit: 'Accedi',
    link: 'Se il pulsante non funziona, apri questo indirizzo nel browser:',
    code: 'Inserisci questo codice nella pagina in cui hai richiesto questa email:',
    orCode: 'Oppure inserisci questo codice nella pagina in cui hai richiesto questa email:',
    expiry: (duration) => `Valido per ${duration} e una sola volta.`,
    requested: (details) => `Richiesta: ${details}`,
    ignore: 'Se non hai richiesto questa email, ignorala. Senza di essa nessuno può accedere.'
  }
}
