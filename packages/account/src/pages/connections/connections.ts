import {
  AccountError,
  type ActionResult,
  AuthError,
  type FeatureRequest,
  type FeatureScreen,
  getText,
  redirect
} from '@postern/core/feature'
import { askToAuthenticate, type CredentialUser, getVerifyUrl, readCredentialUser } from '../../signed-in-user.ts'
import { findUndoGuard } from '../../undo-guard.ts'
import { formLimit } from '../form-limit.ts'
import { getFrame, toPage } from '../frame.ts'
import type { SectionDeps, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { showUnavailable } from '../unavailable.ts'
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
    links: [
      ...(verifyUrl === null ? [] : [{ label: texts.verify, href: verifyUrl }]),
      { label: texts.back, href: accountUrl }
    ]
  })
}

async function show(
  request: FeatureRequest,
  { user, isFresh, missing }: CredentialUser,
  { context }: SectionDeps,
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
      ...{ provider, providerAccountId, providerName, email },
      isRemovable: isFresh
    })),
    removeAction: `${basePath}${path}/remove`,
    available: context.providers
      .filter(({ id, isLinkable }) => isLinkable && isFresh && !accounts.some(({ provider }) => provider === id))
      .map(({ id, name }) => ({ id, name, action: `${basePath}/signin/${encodeURIComponent(id)}` })),
    callbackUrl: `${own}?done=accountConnected`
  }
  return request.screen('connections', props, { status: problem === null ? 200 : 400 })
}

async function showConnections(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const found = await readCredentialUser(request, deps)
  return found ? show(request, found, deps) : showUnavailable(request, deps)
}

/** Disconnects an account, but never the last way in. */
async function removeConnection(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const found = await readCredentialUser(request, deps)
  if (!found) return showUnavailable(request, deps)
  if (!found.isFresh) return askToAuthenticate(request, path, { amr: found.missing })
  const account = {
    provider: getText(request.body, 'provider') ?? '',
    providerAccountId: getText(request.body, 'providerAccountId') ?? ''
  }
  if (account.provider === '' || account.providerAccountId === '') return show(request, found, deps, 'alreadyGone')
  // Nothing is removed if the session was ended meanwhile.
  await request.reissueSession()
  try {
    const unlink = async (): Promise<true> => {
      await context.postern.unlink(found.user.id, account, { request })
      return true
    }
    const outcome = await (findUndoGuard(context)?.remove(found.user.id, account, unlink) ?? unlink())
    if (outcome === 'needed') return show(request, found, deps, 'undoNeeded')
    if (outcome === 'busy') return show(request, found, deps, 'emailBusy')
  } catch (error) {
    if (!(error instanceof AccountError)) throw error
    if (error.code === 'LAST_WAY_IN') return show(request, found, deps, 'lastWayIn')
    if (error.code === 'UNKNOWN_ACCOUNT') return show(request, found, deps, 'alreadyGone')
    throw error
  }
  return (await hasEnded(request)) ? toSignIn(request) : toPage(request, path, 'accountRemoved')
}

/** Whether the session came from the account, and has ended with it. */
async function hasEnded({ confirmUser }: FeatureRequest): Promise<boolean> {
  try {
    await confirmUser()
    return false
  } catch (error) {
    if (error instanceof AuthError && error.code === 'SessionRequired') return true
    throw error
  }
}

/** The sign-in page, which says why the session has ended. */
function toSignIn({ origin, basePath }: FeatureRequest): ActionResult {
  const explained = { error: 'SessionRequired', reason: 'disconnected' }
  const query = new URLSearchParams({ ...explained, callbackUrl: `${origin}${basePath}${path}` })
  return redirect(`${origin}${basePath}/signin?${query}`)
}

/** The section with the accounts at providers. */
export function createConnectionsSection(deps: SectionDeps): SectionParts {
  const { context } = deps
  const getName = (id: string): string => context.providers.find((provider) => provider.id === id)?.name ?? id
  return {
    section: {
      ...{ id: 'connections', order: 200, title: 'connections', path },
      reads: ['getAccounts'],
      summary: ({ accounts }) => {
        const providers = [...new Set(accounts.map(({ provider }) => getName(provider)))].join(', ')
        return providers === '' ? { text: 'connectionsNone' } : { text: 'connectionsSummary', values: { providers } }
      }
    },
    screens: [screen],
    routes: [
      { method: 'GET', path, run: (request) => showConnections(request, deps) },
      { method: 'POST', path: `${path}/remove`, limit: formLimit, run: (request) => removeConnection(request, deps) }
    ]
  }
}
