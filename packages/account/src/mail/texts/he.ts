import type { TextKey } from './en.ts'

export const he = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'שליחת קוד בדוא״ל',
  mailCode: 'קוד מהודעת הדוא״ל',
  mailWrong: 'הקוד מהודעת הדוא״ל שגוי או שפג תוקפו. כדאי לבדוק את הודעת הדוא״ל האחרונה.',
  mailGone: 'הקוד מהודעת הדוא״ל כבר אינו תקף. כדאי לבקש קוד חדש.',
  mailSentText: 'קוד נשלח אליך בדוא״ל. יש להזין אותו כדי להמשיך.',
  mailAgain: 'שליחת קוד אחר',
  cancel: 'ביטול'
})
