import { it as mailedCode } from '../../mail/texts/it.ts'
import type { TextKey } from './en.ts'

export const it = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'it',
  name: 'Passkey',
  signIn: 'Accedi con una passkey',
  signInText: 'Il tuo dispositivo chiede l’impronta digitale, il volto o il suo blocco schermo.',
  needsScript: 'Le passkey richiedono JavaScript e un browser che le supporti.',
  otherWays: 'Altri modi per accedere',
  noneHere: 'Nessuna passkey qui? Usa il telefono o un altro modo.',
  usePhone: 'Usa il telefono',
  offer: 'Accedi più in fretta la prossima volta',
  offerText: 'Crea una passkey e accedi con l’impronta digitale, il volto o il blocco schermo del tuo dispositivo.',
  notNow: 'Non ora',
  neverAsk: 'Non chiedere più',

  summary: '{names}',
  toAccount: 'Torna all’account',
  summaryNone: 'Nessuna passkey',
  passkeys: 'Passkey',
  passkeysText:
    'Accedi con l’impronta digitale, il volto o il blocco schermo del tuo dispositivo anziché con una password.',
  synced: 'Disponibile su più dispositivi.',
  local: 'Su un solo dispositivo.',
  createdAt: 'Aggiunta il {date}.',
  usedAt: 'Usata l’ultima volta il {date}.',
  add: 'Aggiungi una passkey',
  verify: 'Conferma la tua identità per fare modifiche',
  notCreated: 'Non è stata creata alcuna passkey: hai annullato o è passato troppo tempo.',
  existsText: 'Questo dispositivo ha già una passkey per il tuo account.',
  existsNext: 'Puoi usarla per accedere.',
  expired: 'È passato troppo tempo. Riprova.',
  failed: 'Non è stato possibile aggiungere la passkey. Le passkey richiedono JavaScript e un browser che le supporti.',
  exists: 'Questa passkey è già stata aggiunta.',
  tooMany: 'Hai raggiunto il numero massimo di passkey. Rimuovine una per aggiungerne un’altra.',
  unverified: 'Per aggiungere una passkey, verifica prima il tuo indirizzo email.',
  mailText:
    'Perché la passkey valga anche per la verifica in due passaggi, richiedi prima un codice via email. Senza il codice è solo un modo per accedere.',

  label: 'Nome',
  save: 'Salva il nome',
  remove: 'Rimuovi la passkey',
  removeText: 'Verrai disconnesso ovunque altrove. Elimina la passkey anche dal tuo dispositivo.',
  nameMissing: 'Inserisci un nome.',
  conflict: 'La passkey è stata cambiata da un’altra richiesta. Riprova.',
  lastWayIn: 'Questo è il tuo unico modo per accedere. Aggiungine un altro prima di rimuoverla.',
  back: 'Tutte le passkey',
  unavailable: 'Non puoi avere passkey',
  unavailableText: 'L’account con cui hai effettuato l’accesso non è memorizzato qui.',

  unknownText: 'Questa passkey non è conosciuta qui.',
  unknownNext: 'Forse è stata rimossa. Usane un’altra oppure accedi in un altro modo.',
  changedText: 'Questa passkey è cambiata da quando è stata aggiunta.',
  changedNext: 'Accedi in un altro modo, rimuovila e aggiungila di nuovo.',
  expiredText: 'L’accesso con la passkey ha richiesto troppo tempo.',
  expiredNext: 'Riprova.',

  createAccount: 'Crea un account con una passkey',
  signUpText: 'Riceverai un’email per confermare il tuo indirizzo. L’account viene creato dopo.',
  email: 'Indirizzo email',
  createPasskey: 'Crea una passkey',
  toSignIn: 'Accedi',

  checkMail: 'Controlla la posta',
  checkMailText: 'Un’email è in arrivo a questo indirizzo. Apri il link oppure inserisci qui il codice che contiene.',
  code: 'Codice',
  continue: 'Continua',
  startAgain: 'Ricomincia',
  emailLetters: 'Gli indirizzi email con lettere come ä o é prima della @ non sono supportati.',
  emailInvalid: 'Inserisci un indirizzo email, come ada@example.com.',
  codeWrong: 'Questo codice è sbagliato. Controlla l’ultima email.',

  confirm: 'Conferma il tuo indirizzo email',
  confirmText: 'Il tuo account viene creato con questo indirizzo e accedi subito.',
  confirmUnused:
    'Esiste già un account con questo indirizzo. Accedi a quell’account e la passkey che hai creato non viene usata.',
  confirmSubmit: 'Conferma e accedi',
  createText:
    'La registrazione non è avvenuta in questo browser. Crea qui la passkey del tuo nuovo account, oppure inserisci il codice dell’email nel browser della registrazione.',
  gone: 'Questo link non funziona più',
  goneText: 'È stato usato, è scaduto oppure nel frattempo qualcosa è cambiato. Richiedine uno nuovo.',
  used: 'Già fatto',
  usedText: 'Questo link è già stato usato. Non è più necessario.',

  mailAddedSubject: 'Una passkey è stata aggiunta al tuo account su {site}',
  mailAddedText:
    'La passkey «{passkey}» è stata aggiunta al tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, rimuovila subito. Così tutti gli altri vengono disconnessi.',
  mailRemovedSubject: 'Una passkey è stata rimossa dal tuo account su {site}',
  mailRemovedText:
    'La passkey «{passkey}» è stata rimossa dal tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, accedi e controlla i modi per accedere al tuo account.',
  mailCopiedSubject: 'Una passkey per {site} potrebbe essere stata copiata',
  mailCopiedText:
    'Qualcuno ha provato ad accedere a {site} con la passkey «{passkey}» il {time}, dall’indirizzo {client}. Il suo contatore indica che potrebbe esisterne una copia, quindi l’accesso è stato rifiutato.\nRimuovi questa passkey e aggiungine una nuova.',
  mailButton: 'Controlla le passkey',

  mailSignUpSubject: 'Conferma il tuo indirizzo email per {site}',
  mailSignUpText:
    'Qualcuno si è registrato a {site} con questo indirizzo.\nConferma l’indirizzo entro un’ora per creare l’account. Nel browser della registrazione puoi anche inserire questo codice:\n{code}\nSe non sei stato tu, ignora questa email. Non viene creato alcun account.',
  mailSignUpButton: 'Conferma l’indirizzo email',
  mailExistsSubject: 'Hai già un account su {site}',
  mailExistsText:
    'Qualcuno si è registrato a {site} con questo indirizzo, che ha già un account.\nAccedi come facevi prima.\nSe non sei stato tu, ignora questa email. Non è stato cambiato nulla.',
  mailExistsButton: 'Accedi'
})
