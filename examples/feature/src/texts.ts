import type { FeatureTexts } from '@postern/core/feature'

export const texts = {
  en: {
    pin: 'PIN',
    pass: 'Pass',
    setText: 'You are asked for it whenever you sign in. Leave the field empty to have no PIN.',
    enter: 'Enter your PIN',
    enterText: 'Five wrong PINs end the sign-in.',
    signIn: 'Sign in with a pass',
    signInText: 'A pass works once, within ten minutes.',
    format: 'A PIN has four to twelve digits.',
    wrong: 'This PIN is wrong.',
    continue: 'Continue'
  },
  de: {
    setText: 'Sie werden bei jeder Anmeldung danach gefragt. Lassen Sie das Feld leer, wenn Sie keine PIN möchten.',
    enter: 'PIN eingeben',
    enterText: 'Fünf falsche PINs beenden die Anmeldung.',
    signIn: 'Mit einem Pass anmelden',
    signInText: 'Ein Pass gilt einmal und zehn Minuten lang.',
    format: 'Eine PIN hat vier bis zwölf Ziffern.',
    wrong: 'Diese PIN ist falsch.',
    continue: 'Weiter'
  }
} satisfies FeatureTexts

export type TextKey = keyof typeof texts.en
