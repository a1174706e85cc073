import type { TextKey } from './en.ts'

export const de = (): Readonly<Record<TextKey, string>> => ({
  mailSend: 'Code per E-Mail senden',
  mailCode: 'Code aus der E-Mail',
  mailWrong: 'Der Code aus der E-Mail ist falsch oder abgelaufen. Sehen Sie in der neuesten E-Mail nach.',
  mailGone: 'Der Code aus der E-Mail gilt nicht mehr. Lassen Sie sich einen neuen schicken.',
  mailSentText: 'Es wurde Ihnen ein Code per E-Mail geschickt. Geben Sie ihn ein, um fortzufahren.',
  mailAgain: 'Neuen Code schicken',
  cancel: 'Abbrechen'
})
