import { type ActionResult, json, page } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { acceptsJsonOnly, wantsJson } from '../http/request.ts'
import type { Account } from '../model/account.ts'
import type { User } from '../model/user.ts'
import { getLinkValue } from '../oauth/link-request.ts'
import type { FeatureRequest, Interruption, PendingSignIn } from './feature.ts'
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

/** What the page shows of an account. Something must name it, if only its id. */
export function describeAccount(
  { providerAccountId }: Account,
  { name, email }: User
): { readonly name: string | null; readonly email: string | null } {
  return { name: name || (email ? null : providerAccountId), email: email ?? null }
}

async function show(
  { account, link, profile }: PendingSignIn,
  request: FeatureRequest,
  status: number = 200
): Promise<ActionResult> {
  const { token: csrfToken, cookies } = await request.csrfToken()
  const content = {
    name: 'confirm-link',
    provider: link?.provider ?? account.provider,
    account: describeAccount(account, profile),
    user: { name: link?.user.name ?? null, email: link?.user.email ?? null },
    action: `${request.basePath}/verify/${confirmLinkId}`,
    csrfToken,
    callbackUrl: await request.callbackUrl(),
    link: await getLinkValue(account)
  } as const
  if (wantsJson(request) || acceptsJsonOnly(request)) {
    const { provider, account: proven, user, link: value } = content
    return json(
      { screen: 'postern/link', props: { provider, account: proven, user, link: value }, csrfToken },
      cookies,
      status
    )
  }
  return page(content, cookies, status)
}

/**
 * Asks a signed-in user who returned from a provider with an account that no user has whether to link it. Another person may
 * have pressed the button, or may be signed in: nothing is linked until the user confirms it on a page that names both.
 */
const interruption: Interruption = {
  id: confirmLinkId,
  order: 100,
  isDue: ({ link }) => link !== null,
  show: (signIn, request) => show(signIn, request),
  // A later sign-in of the browser replaces the pending one: the form of an earlier page must not link its account.
  verify: async (signIn, request) =>
    getText(request.body, 'link') === (await getLinkValue(signIn.account)) ? 'passed' : show(signIn, request, 409)
}

export const confirmLink: RegisteredInterruption = { interruption, feature: builtIn }
