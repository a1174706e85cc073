import type { SvgLogoPart } from './svg-logos.ts'

/** What a mark is drawn from. */
export type Source =
  /** A drawing of simple-icons, by its slug. */
  | { readonly from: 'simple-icons'; readonly slug: string }
  /** A drawing of SVG Logos (`@iconify-json/logos`), by its name there, or a part of it. */
  | { readonly from: 'svg-logos'; readonly name: string; readonly title: string; readonly part: SvgLogoPart | null }
  /** A drawing of ours, after what the owner publishes. */
  | { readonly from: 'rules'; readonly file: string }

const icon = (slug: string): Source => ({ from: 'simple-icons', slug })
const svgLogo = (name: string, title: string, part: SvgLogoPart | null = null): Source => {
  return { from: 'svg-logos', name, title, part }
}
const microsoft: Source = { from: 'rules', file: 'microsoft' }

/** Providers whose id is not the slug of their drawing. */
const named: Readonly<Record<string, Source>> = {
  '42-school': icon('42'),
  'azure-ad': microsoft,
  'azure-ad-b2c': microsoft,
  'azure-devops': microsoft,
  battlenet: icon('battledotnet'),
  'click-up': icon('clickup'),
  cognito: svgLogo('aws-cognito', 'Amazon Cognito'),
  eventbrite: svgLogo('eventbrite-icon', 'Eventbrite'),
  google: { from: 'rules', file: 'google' },
  hydra: svgLogo('ory-icon', 'Ory'),
  kakao: icon('kakaotalk'),
  linkedin: svgLogo('linkedin-icon', 'LinkedIn'),
  mailru: icon('maildotru'),
  'microsoft-entra-id': microsoft,
  // The word in the cloud is too small to be read.
  salesforce: svgLogo('salesforce', 'Salesforce', { paths: 1, width: 256, height: 180 }),
  slack: svgLogo('slack-icon', 'Slack'),
  twitter: icon('x'),
  wikimedia: icon('wikimediafoundation'),
  workos: svgLogo('workos-icon', 'WorkOS'),
  // The first path is the letter of the mark, the second one the rest of the word.
  yandex: svgLogo('yandex-ru', 'Yandex', { paths: 1, width: 86, height: 177 }),
  zoom: svgLogo('zoom-icon', 'Zoom')
}

/** Providers of which there is no free drawing, or only a word too small to be read: a letter stands in for it. */
export const lettered: readonly string[] = [
  'asgardeo',
  'bankid-no',
  'beyondidentity',
  'boxyhq-saml',
  'coinbase',
  'concept2',
  'descope',
  'duende-identity-server6',
  'duende-identityserver6',
  'eveonline',
  'freshbooks',
  'frontegg',
  'identity-server4',
  'kinde',
  'logto',
  'netsuite',
  'onelogin',
  'osso',
  'passage',
  'ping-id',
  'pipedrive',
  'united-effects',
  'vipps',
  'zitadel',
  'zoho'
]

export function getSource(id: string): Source | null {
  if (lettered.includes(id)) return null
  return named[id] ?? icon(id)
}

/** A drawing of ours. */
export interface OwnMark {
  readonly title: string
  readonly size: number
  readonly shapes: readonly { readonly d: string; readonly fill: string }[]
  readonly rules: string
}

/** The marks whose owners say how they are drawn: shapes and colours as published there. */
export const ownMarks: Readonly<Record<string, OwnMark>> = {
  google: {
    title: 'Google',
    size: 48,
    shapes: [
      {
        d: 'M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z',
        fill: '#ea4335'
      },
      {
        d: 'M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z',
        fill: '#4285f4'
      },
      {
        d: 'M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z',
        fill: '#fbbc05'
      },
      {
        d: 'M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z',
        fill: '#34a853'
      }
    ],
    rules: 'https://developers.google.com/identity/branding-guidelines'
  },
  microsoft: {
    title: 'Microsoft',
    size: 21,
    shapes: [
      { d: 'M0 0h10v10H0z', fill: '#f25022' },
      { d: 'M11 0h10v10H11z', fill: '#7fba00' },
      { d: 'M0 11h10v10H0z', fill: '#00a4ef' },
      { d: 'M11 11h10v10H11z', fill: '#ffb900' }
    ],
    rules: 'https://learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps'
  }
}

/** Owners with rules for the button, whose drawing comes from simple-icons. */
export const rules: Readonly<Record<string, string>> = {
  apple: 'https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple',
  facebook: 'https://developers.facebook.com/docs/facebook-login/best-practices'
}

/** What lies under a drawing that is cut out, so that it has its owner’s colours on any button. */
export const grounds: Readonly<Record<string, { readonly d: string; readonly fill: string }>> = {
  facebook: { d: 'M12 .5a11.5 11.5 0 1 0 0 23 11.5 11.5 0 0 0 0-23z', fill: '#ffffff' }
}
