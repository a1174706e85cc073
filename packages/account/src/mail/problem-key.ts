import type { MailState } from './mailed-code.ts'

/**
 * The key of the text about a problem. A mailed code that has expired, or was guessed too often, must be sent again: no attempt is
 * left for it.
 */
export const getProblemKey = <Key extends string>(problem: Key, mail: MailState): Key | 'mailGone' =>
  problem === 'mailWrong' && mail === 'send' ? 'mailGone' : problem
