import {
  AccountError,
  type ActionResult,
  type FeatureRequest,
  type FeatureScreen,
  getText
} from '@postern/core/feature'
import { toLinks } from '../../plain-screen.ts'
import { bindRoutes } from '../../routes.ts'
import { askToAuthenticate, getVerifyUrl, readCredentialUser, type SignedInUser } from '../../signed-in-user.ts'
import { showUnavailable } from '../end.ts'
import { getFrame, toPage } from '../frame.ts'
import { collectProviderNames, getProviderKey } from '../provider-names.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import type { ConnectionsProps } from './props.ts'

const path = '/account/connections'

const screen: FeatureScreen<ConnectionsProps, TextKey> = {
  name: 'connections',
  title: 'connections',
  width: 'wide',
  component: async () => (await import('./connections-screen.tsx')).ConnectionsScreen,
  plain: ({ accounts, accountUrl, verifyUrl, problem }, texts) => ({
    text: [
      problem ? texts[problem] : texts.connectionsText,
      ...accounts.map(({ provider, providerName, email }) =>
        [providerName ?? provider, email].filter(Boolean).join(' ')
      )
    ].join(' · '),
    links: toLinks([texts.verify, verifyUrl], [texts.back, accountUrl])
  })
}

async function show(
  request: FeatureRequest,
  { user, isFresh, missing }: SignedInUser,
  { context }: AccountSetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const { origin, basePath } = request
  const accounts = await context.postern.accounts.list(user.id)
  const own = `${origin}${basePath}${path}`
  const props: ConnectionsProps = {
    ...getFrame(request, context, {
      problem,
      verifyUrl: isFresh ? null : getVerifyUrl(request, own, { amr: missing })
    }),
    accounts: accounts.map(({ provider, providerAccountId, providerName, email }) => ({
      provider,
      providerAccountId,
      providerName,
      email,
      providerText: getProviderKey(provider),
      isRemovable: isFresh
    })),
    removeAction: `${basePath}${path}/remove`,
    available: context.providers
      .filter(({ id, isLinkable }) => isLinkable && isFresh && !accounts.some(({ provider }) => provider === id))
      .map(({ id, name }) => ({ id, name, action: `${basePath}/signin/${encodeURIComponent(id)}` })),
    callbackUrl: `${own}?done=accountConnected`
  }
  const texts = collectProviderNames(
    accounts.map(({ provider }) => provider),
    context
  )
  return request.screen('connections', props, { status: problem === null ? 200 : 400, texts })
}

async function showConnections(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const found = await readCredentialUser(request, setup)
  return found ? show(request, found, setup) : showUnavailable(request, setup)
}

/** Disconnects an account, but never the last way in. */
async function removeConnection(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (!found.isFresh) return askToAuthenticate(request, path, { amr: found.missing })
  const account = {
    provider: getText(request.body, 'provider') ?? '',
    providerAccountId: getText(request.body, 'providerAccountId') ?? ''
  }
  if (account.provider === '' || account.providerAccountId === '') return show(request, found, setup, 'alreadyGone')
  const session = await request.getSession()
  try {
    await context.postern.unlink(found.user.id, account, { request, session })
  } catch (error) {
    if (!(error instanceof AccountError)) throw error
    if (error.code === 'LAST_WAY_IN') return show(request, found, setup, 'lastWayIn')
    if (error.code === 'UNKNOWN_ACCOUNT') return show(request, found, setup, 'alreadyGone')
    throw error
  }
  return toPage(request, path, 'accountRemoved')
}

/** The section with the accounts at providers. */
export function createConnectionsSection(setup: AccountSetup): SectionParts {
  const { get, post } = bindRoutes(setup)
  const { context } = setup
  const getName = (id: string): string => context.providers.find((provider) => provider.id === id)?.name ?? id
  return {
    section: {
      id: 'connections',
      order: 200,
      title: 'connections',
      path,
      reads: ['getAccounts'],
      summary: ({ accounts }) => {
        const providers = [...new Set(accounts.map(({ provider }) => getName(provider)))].join(', ')
        return providers === '' ? { text: 'connectionsNone' } : { text: 'connectionsSummary', values: { providers } }
      }
    },
    screens: [screen],
    routes: [get(path, showConnections), post(`${path}/remove`, removeConnection)]
  }
}
