import type { TextKey } from './en.ts'

export const es = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Enviar código por correo',
  mailCode: 'Código del correo',
  mailWrong: 'El código del correo es incorrecto o ha caducado. Mira el último correo.',
  mailGone: 'El código del correo ya no sirve. Pide uno nuevo.',
  mailSentText: 'Se te ha enviado un código por correo. Escríbelo para continuar.',
  mailAgain: 'Enviar otro código',
  cancel: 'Cancelar'
})
