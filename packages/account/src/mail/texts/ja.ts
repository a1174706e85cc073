import type { TextKey } from './en.ts'

export const ja = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'メールでコードを送信',
  mailCode: 'メールのコード',
  mailWrong: 'メールのコードが違うか、期限切れです。最新のメールを確認してください。',
  mailGone: 'メールのコードは使えなくなりました。新しいコードを取得してください。',
  mailSentText: 'コードをメールで送信しました。続けるには入力してください。',
  mailAgain: '別のコードを送信',
  cancel: 'キャンセル'
})
