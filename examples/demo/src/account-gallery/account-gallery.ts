import type { ByLanguage, FeatureMailContent, FeaturePage } from '@postern/core'
import { createSampleMails } from './mails.ts'
import { createOverview, overviewSamples } from './overview.ts'
import { accountSamples } from './samples.ts'
import { setUpFeatures } from './set-up-features.ts'

/** The account pages with sample values, by name. */
export interface AccountGallery {
  readonly pages: Readonly<Record<string, FeaturePage>>
  readonly mails: Readonly<Record<string, ByLanguage<FeatureMailContent>>>
}

/** Creates every screen and mail of the account pages. @param site - The name of the site in the mails. */
export async function createAccountGallery(site: string): Promise<AccountGallery> {
  const features = await setUpFeatures()
  const parts = features.get('account') ?? {}
  const { screens = [], texts = { en: {} } } = parts
  const toPage = (name: string, props: FeaturePage['props'], own = texts): FeaturePage => {
    const screen = screens.find((known) => known.name === name)
    if (!screen) throw new Error(`the account pages have no screen with the name ${name}`)
    return { name: 'feature', id: `account/${name}`, screen, props, texts: own, csrfToken: '' }
  }
  const overviews = Object.entries(overviewSamples).map(([name, sample]) => {
    const overview = createOverview(features, sample)
    return [name, toPage('account', overview.props, overview.texts)] as const
  })
  const others = Object.entries(accountSamples).map(
    ([name, { screen, props }]) => [name, toPage(screen, props)] as const
  )
  return { pages: Object.fromEntries([...overviews, ...others]), mails: createSampleMails(parts, site) }
}
