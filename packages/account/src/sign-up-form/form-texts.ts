import type { TextsByLanguage } from '../texts-by-language.ts'

/** The texts of the forms of a sign-up that the features share. */
export type FormTextKey = 'captchaFailed' | 'fieldInvalid'

export const formTexts: TextsByLanguage<FormTextKey> = {
  en: {
    captchaFailed: 'The check that you are a person failed. Try again.',
    fieldInvalid: 'This is missing or invalid.'
  },
  de: {
    captchaFailed: 'Die Prüfung, ob Sie ein Mensch sind, ist fehlgeschlagen. Versuchen Sie es noch einmal.',
    fieldInvalid: 'Diese Angabe fehlt oder ist ungültig.'
  },
  'de-informal': {
    captchaFailed: 'Die Prüfung, ob du ein Mensch bist, ist fehlgeschlagen. Versuche es noch einmal.',
    fieldInvalid: 'Diese Angabe fehlt oder ist ungültig.'
  },
  fr: {
    captchaFailed: 'La vérification que vous êtes un humain a échoué. Réessayez.',
    fieldInvalid: 'Cette information manque ou n’est pas valide.'
  },
  es: {
    captchaFailed: 'La comprobación de que eres una persona ha fallado. Inténtalo de nuevo.',
    fieldInvalid: 'Este dato falta o no es válido.'
  },
  pt: {
    captchaFailed: 'A verificação de que é uma pessoa falhou. Tente novamente.',
    fieldInvalid: 'Este dado falta ou não é válido.'
  },
  it: {
    captchaFailed: 'La verifica che tu sia una persona non è riuscita. Riprova.',
    fieldInvalid: 'Questo dato manca o non è valido.'
  },
  nl: {
    captchaFailed: 'De controle of u een mens bent, is mislukt. Probeer het opnieuw.',
    fieldInvalid: 'Dit ontbreekt of is ongeldig.'
  },
  pl: {
    captchaFailed: 'Nie udało się sprawdzić, czy jesteś człowiekiem. Spróbuj ponownie.',
    fieldInvalid: 'Tej informacji brakuje lub jest nieprawidłowa.'
  },
  tr: {
    captchaFailed: 'İnsan olduğunuz doğrulanamadı. Yeniden deneyin.',
    fieldInvalid: 'Bu bilgi eksik veya geçersiz.'
  },
  ar: {
    captchaFailed: 'تعذّر التحقق من أنك إنسان. حاول مرة أخرى.',
    fieldInvalid: 'هذه المعلومة ناقصة أو غير صالحة.'
  },
  he: {
    captchaFailed: 'הבדיקה שמדובר באדם נכשלה. יש לנסות שוב.',
    fieldInvalid: 'הפרט הזה חסר או לא תקין.'
  },
  ja: {
    captchaFailed: '人による操作であることを確認できませんでした。もう一度お試しください。',
    fieldInvalid: '未入力か、正しくありません。'
  },
  zh: {
    captchaFailed: '未能确认您是真人。请重试。',
    fieldInvalid: '此项未填写或无效。'
  },
  ko: {
    captchaFailed: '사람인지 확인하지 못했습니다. 다시 시도하세요.',
    fieldInvalid: '입력되지 않았거나 올바르지 않습니다.'
  },
  hi: {
    captchaFailed: 'यह जाँच नहीं हो पाई कि आप इंसान हैं। फिर कोशिश करें।',
    fieldInvalid: 'यह जानकारी नहीं दी गई या सही नहीं है।'
  }
}
