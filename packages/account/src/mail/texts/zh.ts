import type { TextKey } from './en.ts'

export const zh = (): Readonly<Record<TextKey, string>> => ({
  mailSend: '通过邮件发送验证码',
  mailCode: '邮件中的验证码',
  mailWrong: '邮件中的验证码错误或已过期。请查看最新的邮件。',
  mailGone: '邮件中的验证码已失效。请获取新的验证码。',
  mailSentText: '验证码已通过邮件发送给您。请输入以继续。',
  mailAgain: '发送新的验证码',
  cancel: '取消'
})
