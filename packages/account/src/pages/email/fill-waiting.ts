import type { WaitingEmail } from './props.ts'

/** Fills in the new address and its time, for screens without a renderer. */
export const fillWaiting = (text: string, { email, at }: Pick<WaitingEmail, 'email' | 'at'>): string =>
  text.replace('{email}', email).replace('{time}', at.replace('T', ' ').replace(/\..*/, ' UTC'))
