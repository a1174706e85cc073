import type { TextKey } from './en.ts'

export const it = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Invia un codice via email',
  mailCode: 'Codice dell’email',
  mailWrong: 'Il codice dell’email è sbagliato o è scaduto. Controlla l’ultima email.',
  mailGone: 'Il codice dell’email non è più valido. Richiedine uno nuovo.',
  mailSentText: 'Ti è stato inviato un codice via email. Inseriscilo per continuare.',
  mailAgain: 'Invia un altro codice',
  cancel: 'Annulla'
})
