import { page } from '../http/action-result.ts'
import type { Interruption } from './feature.ts'
import type { RegisteredFeature, RegisteredInterruption } from './registered-feature.ts'

/** Part of the path `/verify/link`. */
export const confirmLinkId = 'link'

/** The owner of what is built in. */
const builtIn: RegisteredFeature = {
  id: 'postern',
  parts: {},
  screens: [],
  texts: { en: {} },
  connect: () => undefined,
  needs: []
}

/**
 * Asks a signed-in user who returned from a provider with an account that no user has whether to link it. Another person may
 * have pressed the button, or may be signed in: nothing is linked until the user confirms it on a page that names both.
 */
const interruption: Interruption = {
  id: confirmLinkId,
  order: 100,
  isDue: ({ link }) => link !== null,
  show: async ({ account, link, profile }, request) => {
    const { token: csrfToken, cookies } = await request.csrfToken()
    // Something must name the account, if only its id.
    const name = profile.name || (profile.email ? null : account.providerAccountId)
    const content = {
      name: 'confirm-link',
      provider: link?.provider ?? account.provider,
      account: { name, email: profile.email ?? null },
      user: { name: link?.user.name ?? null, email: link?.user.email ?? null },
      action: `${request.basePath}/verify/${confirmLinkId}`,
      csrfToken,
      callbackUrl: await request.callbackUrl(),
      link: 'true'
    } as const
    return page(content, cookies)
  },
  verify: () => 'passed'
}

export const confirmLink: RegisteredInterruption = { interruption, feature: builtIn }

/** Whether features have interruptions of their own. */
export function hasOwnInterruptions(interruptions: readonly RegisteredInterruption[]): boolean {
  return interruptions.some(({ feature }) => feature !== builtIn)
}
