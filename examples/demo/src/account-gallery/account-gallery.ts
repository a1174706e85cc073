import type { ByLanguage, FeatureMailContent, FeaturePage } from '@postern/core'
import { accountSamples } from './account-samples.ts'
import { createSampleMails } from './mails.ts'
import { createOverview, overviewSamples } from './overview.ts'
import { passkeySamples } from './passkey-samples.ts'
import { passwordSamples } from './password-samples.ts'
import type { ScreenSamples } from './sample.ts'
import { secondFactorSamples } from './second-factor-samples.ts'
import { setUpFeatures } from './set-up-features.ts'

/** The screens and mails of an account with sample values, by name. */
export interface AccountGallery {
  readonly pages: Readonly<Record<string, FeaturePage>>
  readonly mails: Readonly<Record<string, ByLanguage<FeatureMailContent>>>
}

/** The samples of each feature, by its id. */
const samples: Readonly<Record<string, ScreenSamples>> = {
  account: accountSamples,
  password: passwordSamples,
  passkey: passkeySamples,
  factors: secondFactorSamples
}

/** Creates every screen and mail of an account. @param site - The name of the site in the mails. */
export async function createAccountGallery(site: string): Promise<AccountGallery> {
  const features = await setUpFeatures()
  const toPage = (id: string, name: string, props: FeaturePage['props'], own?: FeaturePage['texts']): FeaturePage => {
    const { screens = [], texts = { en: {} } } = features.get(id) ?? {}
    const screen = screens.find((known) => known.name === name)
    if (!screen) throw new Error(`the feature ${id} has no screen with the name ${name}`)
    return { name: 'feature', id: `${id}/${name}`, screen, props, texts: own ?? texts, csrfToken: '' }
  }
  const overviews = Object.entries(overviewSamples).map(([name, sample]) => {
    const overview = createOverview(features, sample)
    return [name, toPage('account', 'account', overview.props, overview.texts)] as const
  })
  const others = Object.entries(samples).flatMap(([id, screens]) =>
    Object.entries(screens).map(([name, { screen, props }]) => [name, toPage(id, screen, props)] as const)
  )
  const mails = Object.keys(samples).map((id) => createSampleMails(id, features.get(id) ?? {}, site))
  return { pages: Object.fromEntries([...overviews, ...others]), mails: Object.assign({}, ...mails) }
}
