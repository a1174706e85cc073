import type { TextKey } from './en.ts'

export const it: Readonly<Record<TextKey, string>> = {
  locale: 'it',
  name: 'Passkey',
  signIn: 'Accedi con una passkey',
  signInText: 'Il tuo dispositivo chiede l’impronta digitale, il volto o il suo blocco schermo.',
  needsScript: 'Le passkey richiedono JavaScript e un browser che le supporti.',
  otherWays: 'Altri modi per accedere',
  cancelled: 'Non è stata usata alcuna passkey. Riprova oppure accedi in un altro modo.',

  passkeys: 'Passkey',
  passkeysText:
    'Accedi con l’impronta digitale, il volto o il blocco schermo del tuo dispositivo anziché con una password.',
  synced: 'Disponibile su più dispositivi.',
  local: 'Su un solo dispositivo.',
  createdAt: 'Aggiunta il {date}.',
  usedAt: 'Usata l’ultima volta il {date}.',
  add: 'Aggiungi una passkey',
  verify: 'Conferma la tua identità per fare modifiche',
  notCreated: 'Non è stata aggiunta alcuna passkey. Forse questo dispositivo ne ha già una per il tuo account.',
  expired: 'È passato troppo tempo. Riprova.',
  failed: 'Non è stato possibile aggiungere la passkey. Le passkey richiedono JavaScript e un browser che le supporti.',
  exists: 'Questa passkey è già stata aggiunta.',
  tooMany: 'Hai raggiunto il numero massimo di passkey. Rimuovine una per aggiungerne un’altra.',
  unverified: 'Per aggiungere una passkey, verifica prima il tuo indirizzo email: accedi via email.',

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
  failedText: 'Non è stato possibile usare la passkey.',
  failedNext: 'Riprova oppure accedi in un altro modo. Le passkey richiedono JavaScript.',
  expiredText: 'L’accesso con la passkey ha richiesto troppo tempo.',
  expiredNext: 'Riprova.',

  mailAddedSubject: 'Una passkey è stata aggiunta al tuo account su {site}',
  mailAddedText:
    'La passkey «{passkey}» è stata aggiunta al tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, rimuovila subito. Così tutti gli altri vengono disconnessi.',
  mailRemovedSubject: 'Una passkey è stata rimossa dal tuo account su {site}',
  mailRemovedText:
    'La passkey «{passkey}» è stata rimossa dal tuo account su {site} il {time}, dall’indirizzo {client}.\nSe non sei stato tu, accedi e controlla i modi per accedere al tuo account.',
  mailCopiedSubject: 'Una passkey per {site} potrebbe essere stata copiata',
  mailCopiedText:
    'Qualcuno ha provato ad accedere a {site} con la passkey «{passkey}» il {time}, dall’indirizzo {client}. Il suo contatore indica che potrebbe esisterne una copia, quindi l’accesso è stato rifiutato.\nRimuovi questa passkey e aggiungine una nuova.',
  mailButton: 'Controlla le passkey'
}
