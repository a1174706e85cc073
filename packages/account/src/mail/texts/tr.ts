import type { TextKey } from './en.ts'

export const tr = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'E-postayla kod gönder',
  mailCode: 'E-postadaki kod',
  mailWrong: 'E-postadaki kod yanlış ya da süresi dolmuş. En son e-postaya bakın.',
  mailGone: 'E-postadaki kod artık çalışmıyor. Yeni bir kod isteyin.',
  mailSentText: 'Size e-postayla bir kod gönderildi. Devam etmek için kodu girin.',
  mailAgain: 'Başka bir kod gönder',
  cancel: 'İptal'
})
