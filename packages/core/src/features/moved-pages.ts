import type { FeatureParts, FeatureRoute } from './feature.ts'

/** What a feature says about pages of the account. */
interface AccountFeature {
  readonly parts: Pick<FeatureParts, 'accountPath' | 'accountSections'>
}

/** The path of the account page, below which its feature has pages of its own. */
const accountPage = '/account'

const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`)

/** @returns The path of the application that a page below the base path is moved to. */
export function movePage(path: string, accountPath: string): string {
  return accountPath + (isBelow(path, accountPage) ? path.slice(accountPage.length) : path)
}

/** Whether a route belongs to the account page, or to a section of it. Pages without a user, such as a sign-up, do not. */
function isAccountPage({ path, access = 'user' }: FeatureRoute, sections: readonly string[]): boolean {
  return isBelow(path, accountPage) || (access === 'user' && sections.some((section) => isBelow(path, section)))
}

/** Gives the function that moves pages to the path that a feature asks for; `null` if none does. */
export function createMovePage(
  features: readonly AccountFeature[]
): { readonly accountPath: string; readonly getUrl: (route: FeatureRoute) => string | null } | null {
  const accountPath = features.find(({ parts }) => parts.accountPath !== undefined)?.parts.accountPath
  if (accountPath === undefined) return null
  const sections = features.flatMap(({ parts }) => (parts.accountSections ?? []).map(({ path }) => path))
  return {
    accountPath,
    getUrl: (route) => (isAccountPage(route, sections) ? movePage(route.path, accountPath) : null)
  }
}

/** @returns The path with the values of its parameters. */
export function fillPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
