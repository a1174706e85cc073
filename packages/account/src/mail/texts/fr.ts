import type { TextKey } from './en.ts'

export const fr = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Envoyer un code par e-mail',
  mailCode: 'Code de l’e-mail',
  mailWrong: 'Le code de l’e-mail est incorrect ou a expiré. Consultez le dernier e-mail.',
  mailGone: 'Le code de l’e-mail n’est plus valable. Demandez-en un nouveau.',
  mailSentText: 'Un code vous a été envoyé par e-mail. Saisissez-le pour continuer.',
  mailAgain: 'Envoyer un autre code',
  cancel: 'Annuler'
})
