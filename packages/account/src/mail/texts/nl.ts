import type { TextKey } from './en.ts'

export const nl = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Code per e-mail verzenden',
  mailCode: 'Code uit de e-mail',
  mailWrong: 'De code uit de e-mail is onjuist of verlopen. Bekijk de nieuwste e-mail.',
  mailGone: 'De code uit de e-mail werkt niet meer. Vraag een nieuwe aan.',
  mailSentText: 'Er is een code per e-mail naar u gestuurd. Vul deze in om door te gaan.',
  mailAgain: 'Een andere code sturen',
  cancel: 'Annuleren'
})
