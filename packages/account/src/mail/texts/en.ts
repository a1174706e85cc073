/** The texts about a mailed code that several features have. */
export const en = {
  mailSend: 'Send code by email',
  mailCode: 'Code from the email',
  mailWrong: 'The code from the email is wrong or has expired. Check the latest email.'
}

export type TextKey = keyof typeof en
