import type { TextKey } from './en.ts'

export const hi: Readonly<Record<TextKey, string>> = {
  mailSend: 'ईमेल से कोड भेजें',
  mailCode: 'ईमेल का कोड',
  mailWrong: 'ईमेल का कोड गलत है या उसकी अवधि खत्म हो गई है। नवीनतम ईमेल देखें।'
}
