import type { TextKey } from './en.ts'

export const it = (): Readonly<Record<TextKey, string>> => ({
  name: 'Password',
  email: 'Indirizzo email',
  password: 'Password',
  newPassword: 'Nuova password',
  currentPassword: 'Password attuale',
  code: 'Codice',
  signIn: 'Accedi',
  createAccount: 'Crea un account',
  remember: 'Resta connesso',
  forgotPassword: 'Password dimenticata?',
  summarySet: 'Impostata',
  toAccount: 'Torna all’account',
  summaryNone: 'Non impostata',
  section: 'Password',

  signUpText: 'Riceverai un’email per confermare il tuo indirizzo. L’account viene creato dopo.',
  passwordHint: 'Almeno {minLength} caratteri. Una frase è facile da ricordare.',
  strengthShort: 'Troppo corta',
  strengthFair: 'Password discreta: una più lunga è meglio.',
  strengthGood: 'Buona password.',
  strengthStrong: 'Password sicura.',
  continue: 'Continua',

  checkMail: 'Controlla la posta',
  checkMailText: 'Un’email è in arrivo a questo indirizzo. Apri il link oppure inserisci qui il codice che contiene.',
  checkMailReset: 'Un’email è in arrivo a questo indirizzo. Apri il link per continuare.',
  startAgain: 'Ricomincia',

  confirm: 'Conferma il tuo indirizzo email',
  confirmText: 'Il tuo account viene creato con questo indirizzo e accedi subito.',
  confirmExisting: 'Accedi al tuo account con questo indirizzo.',
  confirmUnused:
    'Esiste già un account con questo indirizzo. Accedi a quell’account e la password che hai scelto non viene usata.',
  choose: 'Scegli una password',
  chooseText: 'La registrazione non è avvenuta in questo browser. Scegli la password del tuo nuovo account.',
  confirmSubmit: 'Conferma e accedi',

  forgot: 'Password dimenticata?',
  forgotText: 'Inserisci il tuo indirizzo email. Riceverai un link per scegliere una nuova password.',
  reset: 'Scegli una nuova password',
  resetText: 'Verrai disconnesso da tutti i dispositivi. Poi potrai accedere con la nuova password.',
  save: 'Salva la password',

  change: 'Cambia la password',
  changeText: 'Qui resti connesso; ovunque altrove vieni disconnesso.',
  set: 'Imposta una password',
  setText: 'Così potrai accedere anche con il tuo indirizzo email e questa password.',
  unavailable: 'Non puoi impostare una password',
  unavailableText: 'Una password richiede un indirizzo email verificato.',
  changed: 'La tua password è stata cambiata',
  changedText: 'Da ora usa la nuova password.',
  toSite: 'Continua',

  gone: 'Questo link non funziona più',
  goneText: 'È stato usato, è scaduto oppure nel frattempo qualcosa è cambiato. Richiedine uno nuovo.',
  used: 'Già fatto',
  usedText: 'Questo link è già stato usato. Non è più necessario.',

  emailLetters: 'Gli indirizzi email con lettere come ä o é prima della @ non sono supportati.',
  emailInvalid: 'Inserisci un indirizzo email, come ada@example.com.',
  codeWrong: 'Questo codice è sbagliato. Controlla l’ultima email.',
  characters: 'La password contiene un carattere che non si può usare.',
  tooShort: 'Usa almeno {minLength} caratteri.',
  tooLong: 'Usa al massimo 256 caratteri.',
  tooCommon: 'Questa password è usata da molte persone. Scegline un’altra.',
  isAddress: 'Non usare come password il tuo indirizzo o il nome del sito.',
  breached: 'Questa password è nota per una fuga di dati. Scegline un’altra.',
  currentWrong: 'Questa non è la tua password attuale.',
  conflict: 'La password è stata cambiata da un’altra richiesta. Riprova.',

  mailSignUpSubject: 'Conferma il tuo indirizzo email per {site}',
  mailSignUpText:
    'Qualcuno si è registrato a {site} con questo indirizzo.\nConferma l’indirizzo entro un’ora per creare l’account. Nel browser della registrazione puoi anche inserire questo codice:\n{code}\nSe non sei stato tu, ignora questa email. Non viene creato alcun account.',
  mailSignUpButton: 'Conferma l’indirizzo email',
  mailExistsSubject: 'Hai già un account su {site}',
  mailExistsText:
    'Qualcuno si è registrato a {site} con questo indirizzo, che ha già un account.\nAccedi, oppure scegli una nuova password se hai dimenticato la tua.\nSe non sei stato tu, ignora questa email. Non è stato cambiato nulla.',
  mailExistsButton: 'Accedi',
  mailResetSubject: 'Scegli una nuova password per {site}',
  mailResetText:
    'Qualcuno ha chiesto una nuova password per il tuo account su {site}.\nSceglila entro un’ora. Poi verrai disconnesso da tutti i dispositivi.\nSe non sei stato tu, ignora questa email. La tua password resta com’è.',
  mailResetButton: 'Scegli una nuova password',
  mailConfirmSubject: 'Accedi a {site}',
  mailConfirmText:
    'Qualcuno ha chiesto una nuova password per {site}. L’indirizzo di questo account non è ancora verificato.\nConfermalo entro un’ora per accedere. Poi potrai impostare una password.\nSe non sei stato tu, ignora questa email.',
  mailConfirmButton: 'Conferma l’indirizzo email',
  mailUnknownSubject: 'Nessun account su {site}',
  mailUnknownText:
    'Qualcuno ha chiesto una nuova password per {site}, ma non c’è alcun account con questo indirizzo.\nForse ti sei registrato con un altro.\nSe non sei stato tu, ignora questa email.',
  mailUnknownButton: 'Crea un account',
  mailChangedSubject: 'La tua password per {site} è stata cambiata',
  mailChangedText:
    'La password del tuo account su {site} è stata cambiata il {time}, dall’indirizzo {client}.\nSe non sei stato tu, scegli subito una nuova password. Così tutti gli altri vengono disconnessi.',
  mailChangedButton: 'Scegli una nuova password'
})
