import type { TextKey } from './en.ts'

export const he: Readonly<Record<TextKey, string>> = {
  mailSend: 'שליחת קוד בדוא״ל',
  mailCode: 'קוד מהודעת הדוא״ל',
  mailWrong: 'הקוד מהודעת הדוא״ל שגוי או שפג תוקפו. כדאי לבדוק את הודעת הדוא״ל האחרונה.'
}
