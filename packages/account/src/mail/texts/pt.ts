import type { TextKey } from './en.ts'

export const pt = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Enviar código por e-mail',
  mailCode: 'Código do e-mail',
  mailWrong: 'O código do e-mail está errado ou expirou. Veja o e-mail mais recente.',
  mailGone: 'O código do e-mail já não funciona. Peça um novo.',
  mailSentText: 'Foi-lhe enviado um código por e-mail. Introduza-o para continuar.',
  mailAgain: 'Enviar outro código',
  cancel: 'Cancelar'
})
