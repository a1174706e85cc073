import type { Feature, FeatureScreen, FeatureTexts, RegisteredSection } from '@postern/core/feature'
import type { AccountProps } from './account-props.ts'
import { texts } from './texts.ts'

/** The id of a section on the account page, which is also the key of its title: features may use the same ids. */
const sectionId = ({ featureId, id }: RegisteredSection): string => `${featureId}/${id}`

/** @returns The titles of sections, by language. */
function getTitles(sections: readonly RegisteredSection[]): FeatureTexts {
  const titles: Record<string, Record<string, string>> = {}
  for (const section of sections) {
    for (const [language, known] of Object.entries(section.texts)) {
      const title = known[section.title]
      if (title !== undefined) titles[language] = { ...titles[language], [sectionId(section)]: title }
    }
  }
  return { ...titles, en: { ...titles['en'] } }
}

const accountScreen: FeatureScreen<AccountProps> = {
  name: 'account',
  title: 'title',
  component: async () => (await import('./account-screen.tsx')).AccountScreen,
  plain: ({ name, email, sections, signOutUrl }, { signedIn = '', signOut = '', ...others }) => ({
    text: [signedIn, name, email].filter(Boolean).join(' '),
    links: [
      ...sections.map(({ id, href }) => ({ label: others[id] ?? id, href })),
      { label: signOut, href: signOutUrl }
    ]
  })
}

/**
 * The account page at `/account`: the signed-in user, a link to each section of the registered features, and the link
 * to sign out.
 */
export function accountPages(): Feature {
  return {
    id: 'account',
    setup: (context) => ({
      screens: [accountScreen],
      texts,
      routes: [
        {
          method: 'GET',
          path: '/account',
          run: async (request) => {
            const { name, email } = await request.requireUser()
            const { basePath } = request
            const sections = context.accountSections()
            const props: AccountProps = {
              name,
              email,
              sections: sections.map((section) => ({ id: sectionId(section), href: basePath + section.path })),
              signOutUrl: `${basePath}/signout`
            }
            return request.screen('account', props, { texts: getTitles(sections) })
          }
        }
      ]
    })
  }
}
