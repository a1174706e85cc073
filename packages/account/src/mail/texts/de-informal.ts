import { de } from './de.ts'
import type { TextKey } from './en.ts'

/** German with *du*: what differs from German with *Sie*. */
export const deInformal = (): Readonly<Record<TextKey, string>> => ({
  ...de(),
  mailWrong: 'Der Code aus der E-Mail ist falsch oder abgelaufen. Sieh in der neuesten E-Mail nach.',
  mailGone: 'Der Code aus der E-Mail gilt nicht mehr. Lass dir einen neuen schicken.',
  mailSentText: 'Dir wurde ein Code per E-Mail geschickt. Gib ihn ein, um fortzufahren.'
})
