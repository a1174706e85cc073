import { createTexts, type TextsByLanguage } from '../texts-by-language.ts'

/** The texts about a mailed code that several features have. */
const en = {
  mailSend: 'Send code by email',
  mailCode: 'Code from the email',
  mailWrong: 'The code from the email is wrong or has expired. Check the latest email.',
  mailGone: 'The code from the email no longer works. Get a new one.',
  mailSentText: 'A code was sent to you by email. Enter it to continue.',
  mailAgain: 'Send another code',
  cancel: 'Cancel'
}

export type MailedCodeTextKey = keyof typeof en

export const mailedCodeTexts: TextsByLanguage<MailedCodeTextKey> = createTexts('mailedCode', en)
