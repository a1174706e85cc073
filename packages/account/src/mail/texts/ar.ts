import type { TextKey } from './en.ts'

export const ar = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'إرسال رمز بالبريد الإلكتروني',
  mailCode: 'الرمز من رسالة البريد الإلكتروني',
  mailWrong: 'الرمز من رسالة البريد الإلكتروني خاطئ أو انتهت صلاحيته. انظر في أحدث رسالة.',
  mailGone: 'الرمز من رسالة البريد الإلكتروني لم يعد صالحًا. اطلب رمزًا جديدًا.',
  mailSentText: 'أُرسل إليك رمز بالبريد الإلكتروني. أدخله للمتابعة.',
  mailAgain: 'إرسال رمز آخر',
  cancel: 'إلغاء'
})
