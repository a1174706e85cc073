import type { TextKey } from './en.ts'

export const hi = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'ईमेल से कोड भेजें',
  mailCode: 'ईमेल का कोड',
  mailWrong: 'ईमेल का कोड गलत है या उसकी अवधि खत्म हो गई है। नवीनतम ईमेल देखें।',
  mailGone: 'ईमेल का कोड अब काम नहीं करता। नया कोड मँगवाएँ।',
  mailSentText: 'आपको ईमेल से एक कोड भेजा गया है। जारी रखने के लिए उसे लिखें।',
  mailAgain: 'दूसरा कोड भेजें',
  cancel: 'रद्द करें'
})
