import type { ByLanguage } from '@postern/core'
import type { AccountSection, AccountState, FeatureParts, FeatureTexts } from '@postern/core/feature'

/** The first page of the account, for a user whom the sections of all features summarize. */
export interface Overview {
  readonly props: Readonly<Record<string, unknown>>
  readonly texts: FeatureTexts
}

const ada = { id: '1', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: new Date('2030-01-01') }
const account = { provider: 'github', type: 'oauth', providerAccountId: '1' } as const

/** A user of the first page. */
interface OverviewSample {
  readonly state: AccountState
  /** The deletion that is scheduled; `null` if none is. */
  readonly deletion: Readonly<Record<string, unknown>> | null
  /** The change of the address that waits; `null` if none does. */
  readonly emailChange: Readonly<Record<string, unknown>> | null
}

const state: AccountState = { user: ada, accounts: [account], factors: [] }

/** The users of the first page, by the name of the sample. */
export const overviewSamples: Readonly<Record<string, OverviewSample>> = {
  account: { state, deletion: null, emailChange: null },
  'account-unverified': {
    state: { user: { ...ada, name: null, emailVerified: null }, accounts: [], factors: [] },
    deletion: null,
    emailChange: null
  },
  'account-deletion-pending': {
    state,
    deletion: {
      ...{ deleteAt: '2030-03-02T12:00:00Z', keepAction: '#', isMailed: false },
      ...{ factorUrl: null, approveAction: null }
    },
    emailChange: null
  },
  'account-email-change-waiting': {
    state,
    deletion: null,
    emailChange: {
      ...{ email: 'countess@example.com', at: '2030-02-07T12:00:00Z' },
      ...{ cancelAction: '#', factorUrl: null, approveAction: null }
    }
  }
}

interface OwnedSection {
  readonly section: AccountSection
  readonly featureId: string
  readonly texts: FeatureTexts
}

/** Prefixes the keys of a section's title and line, as the account page does. */
function translateSection(
  { section, featureId, texts }: OwnedSection,
  line: string
): ByLanguage<Record<string, string>> {
  const id = `${featureId}/${section.id}`
  const translate = (own: Readonly<Record<string, string>>): Record<string, string> => ({
    [id]: own[section.title] ?? texts.en[section.title] ?? '',
    [`${id}/summary`]: own[line] ?? texts.en[line] ?? ''
  })
  const all = Object.entries(texts).map(([language, own]) => [language, translate(own)] as const)
  return { ...Object.fromEntries(all), en: translate(texts.en) }
}

/** Creates the first page from the sections of the features. */
export function createOverview(
  features: ReadonlyMap<string, FeatureParts>,
  { state, deletion, emailChange }: OverviewSample
): Overview {
  const owned = [...features].flatMap(([featureId, { accountSections = [], texts = { en: {} } }]) =>
    accountSections.map((section) => ({ section, featureId, texts }))
  )
  const all: Record<string, Record<string, string>> = {}
  const sections = owned
    .toSorted((one, other) => one.section.order - other.section.order)
    .map((each) => {
      const { section, featureId } = each
      const { text, values = {}, isWarning = false } = section.summary?.(state) ?? { text: '' }
      for (const [language, texts] of Object.entries(translateSection(each, text)))
        all[language] = { ...all[language], ...features.get('account')?.texts?.[language], ...texts }
      const id = `${featureId}/${section.id}`
      const summary = text === '' ? null : { text: `${id}/summary`, values }
      return { id, href: '#', summary, isWarning, isDestructive: section.isDestructive ?? false }
    })
  const { name = null, email } = state.user
  return {
    props: { name, email, sections, deletion, emailChange, siteName: 'Postern demo', siteUrl: '#', signOutUrl: '#' },
    texts: { ...all, en: all['en'] ?? {} }
  }
}
