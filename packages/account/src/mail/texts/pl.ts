import type { TextKey } from './en.ts'

export const pl = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Wyślij kod e-mailem',
  mailCode: 'Kod z e-maila',
  mailWrong: 'Kod z e-maila jest błędny albo wygasł. Sprawdź najnowszy e-mail.',
  mailGone: 'Kod z e-maila już nie działa. Poproś o nowy.',
  mailSentText: 'Kod został wysłany e-mailem. Wpisz go, aby kontynuować.',
  mailAgain: 'Wyślij inny kod',
  cancel: 'Anuluj'
})
