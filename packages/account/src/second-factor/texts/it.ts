import { it as mailedCode } from '../../mail/texts/it.ts'
import type { TextKey } from './en.ts'

export const it = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'it',
  summaryOn: 'Attivo',
  toAccount: 'Torna all’account',
  summaryOff: 'Non attivo',
  section: 'Verifica in due passaggi',
  factorsText:
    'Con la verifica in due passaggi, chi conosce solo la tua password, o legge solo la tua posta, non può accedere.',
  app: 'App di autenticazione',
  appAdded: 'Configurata il {date}.',
  appUsed: 'Usata l’ultima volta il {date}.',
  noApp: 'Non è configurata alcuna app di autenticazione.',
  start: 'Configura un’app di autenticazione',
  remove: 'Rimuovi l’app di autenticazione',
  removeText: 'Vengono rimossi anche i tuoi codici di recupero e verrai disconnesso ovunque altrove.',
  removeAlone: 'Verrai disconnesso ovunque altrove.',
  codesLeft: 'Codici di recupero rimasti: {left}.',
  codesFew: 'Ti restano pochi codici di recupero. Creane di nuovi.',
  codesMissing: 'Non hai codici di recupero. Creane di nuovi.',
  createCodes: 'Crea nuovi codici di recupero',
  createCodesText: 'I codici che hai ora non funzioneranno più.',
  verify: 'Conferma la tua identità per fare modifiche',
  anyCode: 'Codice dell’app o codice di recupero',

  enroll: 'Configura un’app di autenticazione',
  enrollText:
    'Aggiungi questa chiave a un’app di autenticazione sul tuo telefono: scansiona il codice QR o copia la chiave.',
  enrollRequired: 'Questo sito richiede la verifica in due passaggi.',
  qrCode: 'Codice QR per l’app di autenticazione',
  key: 'Chiave per l’app',
  code: 'Codice dell’app',
  codeHint: '{digits} cifre',
  confirm: 'Conferma',
  confirmAddress: 'Conferma il tuo indirizzo email',
  mailText: 'Prima richiedi un codice via email, così nessun altro può configurare un’app.',

  codes: 'I tuoi codici di recupero',
  codesText:
    'Puoi accedere con uno di questi codici al posto dell’app, per esempio se hai perso il telefono. Ognuno funziona una sola volta. Conservali in un luogo sicuro: vengono mostrati solo adesso.',
  codesShown:
    'I tuoi codici di recupero sono già stati mostrati. Se non li hai salvati, creane di nuovi dopo aver effettuato l’accesso.',
  codesDownload: 'Scarica i codici',
  codesSaved: 'Ho salvato i codici',
  back: 'Verifica in due passaggi',

  challenge: 'Conferma la tua identità',
  challengeText: 'Inserisci il codice che la tua app di autenticazione mostra adesso.',
  challengePasskey: 'Usa la tua passkey per continuare.',
  challengeOther: 'Usa una passkey o un codice di recupero per continuare.',
  challengeRecovery: 'Usa un codice di recupero per continuare.',
  challengeNone: 'Accedi in un altro modo o contatta i responsabili di questo sito.',
  exhaustedText:
    'Sono stati inseriti molti codici sbagliati per il tuo account, quindi serve anche un codice inviato via email.',
  continue: 'Continua',
  trust: 'Non chiedere più in questo browser per {days}',
  usePasskey: 'Usa una passkey',
  needsScript: 'Le passkey richiedono JavaScript e un browser che le supporti.',
  useRecoveryCode: 'Usa un codice di recupero',
  recoveryCode: 'Codice di recupero',
  recoveryHint: 'Dieci lettere e cifre',

  codeWrong: 'Il codice è sbagliato, è già stato usato o è scaduto. Inserisci quello che l’app mostra adesso.',
  recoveryWrong: 'Questo codice di recupero è sbagliato o è già stato usato.',
  anyWrong: 'Il codice è sbagliato o è già stato usato.',
  passkeyWrong: 'Non è stato possibile usare la passkey. Riprova oppure usa un altro modo.',
  passkeyChanged:
    'Questa passkey è cambiata da quando è stata aggiunta. Usa un altro modo, poi rimuovila e aggiungila di nuovo.',
  exhausted: 'Sono stati inseriti troppi codici sbagliati, quindi un codice dell’app non basta.',
  expired: 'È passato troppo tempo. Ricomincia.',
  conflict: 'La verifica in due passaggi è stata cambiata da un’altra richiesta. Riprova.',
  unverified: 'Per configurare la verifica in due passaggi, verifica prima il tuo indirizzo email.',

  unavailable: 'Non puoi configurare la verifica in due passaggi',
  unavailableText: 'L’account con cui hai effettuato l’accesso non è memorizzato qui.',
  signIn: 'Accedi',

  step: 'Passaggio {step} di 3',
  openApp: 'Apri nella tua app di autenticazione',
  copy: 'Copia',
  copied: 'Copiato',
  goBack: 'Indietro',
  codesPrint: 'Stampa',
  anotherAccount: 'Usa un altro account',
  lost: 'Ho perso il telefono e i codici',
  lostTitle: 'Hai perso il telefono e i codici?',
  lostFactor: 'Hai perso il telefono o la passkey?',
  lostText: 'Cerca prima i codici di recupero: nel file {file}, su carta o nel tuo gestore di password.',
  lostHelp:
    'Se non li trovi, contatta i responsabili di questo sito. Dopo aver verificato che sei tu, possono disattivare la verifica in due passaggi del tuo account.',
  lostContact:
    'Contatta i responsabili di questo sito. Dopo aver verificato che sei tu, possono disattivare la verifica in due passaggi del tuo account.',
  support: 'Contatta l’assistenza',
  recoveryCodes: 'Codici di recupero',
  recoveryText: 'Con un codice di recupero puoi accedere se hai perso il telefono. Ognuno funziona una sola volta.',
  noCodes: 'Non hai ancora codici di recupero.',
  passkeys: 'Passkey',
  passkeysNotAsked:
    'Senza un’app di autenticazione, la passkey non ti viene chiesta quando accedi in un altro modo. Configura un’app per attivare la verifica in due passaggi.',

  mailCodeSubject: 'Il tuo codice per {site}',
  mailCodeText:
    'Qualcuno sta accedendo al tuo account su {site} o sta configurando un’app di autenticazione o una passkey per questo account. Per continuare serve questo codice:\n{code}\nSe non sei tu, non dare il codice a nessuno e cambia ciò che usi per accedere.',
  mailAddedSubject: 'La verifica in due passaggi è stata attivata per il tuo account su {site}',
  mailAddedText:
    'Un’app di autenticazione è stata configurata per il tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, contatta subito l’assistenza di {site}.',
  mailRemovedSubject: 'La verifica in due passaggi è stata disattivata per il tuo account su {site}',
  mailRemovedText:
    'L’app di autenticazione e i codici di recupero sono stati rimossi dal tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, accedi e configura subito un’app di autenticazione.',
  mailAppRemovedSubject: 'L’app di autenticazione è stata rimossa dal tuo account su {site}',
  mailAppRemovedText:
    'L’app di autenticazione è stata rimossa dal tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, accedi e configura subito un’app di autenticazione.',
  mailUsedSubject: 'Un codice di recupero del tuo account su {site} è stato usato',
  mailUsedText:
    'Un codice di recupero del tuo account su {site} è stato usato il {time}, dall’indirizzo {client}. Codici di recupero rimasti: {left}.\nSe non sei stato tu, accedi, cambia ciò che usi per accedere e crea nuovi codici di recupero.',
  mailRenewedSubject: 'Sono stati creati nuovi codici di recupero per il tuo account su {site}',
  mailRenewedText:
    'Sono stati creati nuovi codici di recupero per il tuo account su {site} il {time}, dall’indirizzo {client}. Quelli precedenti non funzionano più.\nSe non sei stato tu, accedi, cambia ciò che usi per accedere e crea nuovi codici di recupero.',
  mailResetSubject: 'La verifica in due passaggi del tuo account su {site} è stata reimpostata',
  mailResetText:
    'L’assistenza di {site} ha rimosso l’app di autenticazione e i codici di recupero del tuo account il {time}. Sei disconnesso ovunque.\nSe non l’hai chiesto tu, contatta subito l’assistenza.',
  mailButton: 'Controlla la verifica in due passaggi'
})
