import type { FeatureTexts } from '@postern/core/feature'

export const texts: FeatureTexts = {
  en: { title: 'Your account', signedIn: 'Signed in as', sections: 'Settings', signOut: 'Sign out' },
  de: { title: 'Ihr Konto', signedIn: 'Angemeldet als', sections: 'Einstellungen', signOut: 'Abmelden' }
}
