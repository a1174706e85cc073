import type { TextKey } from './en.ts'

export const es = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Enviar código por correo',
  mailCode: 'Código del correo',
  mailWrong: 'El código del correo es incorrecto o ha caducado. Mira el último correo.',
  mailSentText: 'Se te ha enviado un código por correo. Escríbelo para continuar.',
  mailAgain: 'Enviar otro código',
  cancel: 'Cancelar'
})
