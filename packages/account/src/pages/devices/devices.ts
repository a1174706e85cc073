import {
  type ActionResult,
  type FeatureRequest,
  type FeatureScreen,
  getBrowserName,
  getText,
  type UserSession
} from '@postern/core/feature'
import { toForm, toLinks } from '../../plain-screen.ts'
import { bindRoutes } from '../../routes.ts'
import { askToAuthenticate, getVerifyUrl, hasRecentSignIn } from '../../signed-in-user.ts'
import { getFrame, toPage } from '../frame.ts'
import type { AccountSetup, SectionParts } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { getLead, getSessionTitle } from './describe-session.ts'
import type { DevicesProps, ShownSession } from './props.ts'

const path = '/account/devices'

/** The sessions of one page. The form for all other sessions ends the rest. */
const maxShown = 50

const screen: FeatureScreen<DevicesProps, TextKey> = {
  name: 'devices',
  title: 'devices',
  width: 'wide',
  component: async () => (await import('./devices-screen.tsx')).DevicesScreen,
  plain: ({ devices, endOthersAction, verifyUrl, accountUrl }, texts) => ({
    text: [texts[getLead({ devices })], ...devices.map((session) => getSessionTitle(session, texts))].join(' · '),
    links: toLinks([texts.verify, verifyUrl], [texts.back, accountUrl]),
    ...toForm(verifyUrl === null ? endOthersAction : null, texts.endOthers)
  })
}

async function showDevices(
  request: FeatureRequest,
  setup: AccountSetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const { context } = setup
  const principal = await request.requireUser()
  const found = await context.postern.sessions.list(principal.userId, request, { limit: maxShown + 1 })
  const toShown = ({ id, actor, userAgent, provider, createdAt, lastSeen, ...session }: UserSession): ShownSession => ({
    id,
    isCurrent: session.isCurrent ?? false,
    isImpersonation: actor !== null,
    address: session.address,
    name: getBrowserName(userAgent),
    // The names of Postern's own ways to sign in are English.
    provider: context.providers.find(({ id, isLinkable }) => isLinkable && id === provider)?.name ?? null,
    createdAt: createdAt?.toISOString() ?? null,
    lastSeen: lastSeen?.toISOString() ?? null
  })
  const sessions = found.map(toShown).toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
  const own = `${request.origin}${request.basePath}${path}`
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent)
  const verifyUrl = hasOthers && !hasRecentSignIn(principal, setup.context) ? getVerifyUrl(request, own) : null
  const props: DevicesProps = {
    ...getFrame(request, context, { problem, verifyUrl }),
    devices: sessions.slice(0, maxShown),
    hasMore: sessions.length > maxShown,
    endAction: `${request.basePath}${path}/end`,
    endOthersAction: `${request.basePath}${path}/end-others`
  }
  return request.screen('devices', props, { status: problem === null ? 200 : 400 })
}

/** Ends one session of the user: nobody else has a session with this id. */
async function endSession(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  if (!hasRecentSignIn(await request.requireUser(), setup.context)) return askToAuthenticate(request, path)
  // The session may have been ended by another process, which this one has not read yet.
  const { userId } = await request.confirmUser()
  const id = getText(request.body, 'id') ?? ''
  const isEnded = id !== '' && (await setup.context.postern.sessions.revoke(id, userId, { request }))
  return isEnded ? toPage(request, path, 'deviceEnded') : showDevices(request, setup, 'alreadyGone')
}

async function endOtherSessions(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const principal = await request.requireUser()
  if (!hasRecentSignIn(principal, setup.context)) return askToAuthenticate(request, path)
  const event = context.createEvent('other-sessions-ended', { userId: principal.userId, request })
  await request.endOtherSessions([{ method: 'addEvents', args: [[event]] }])
  return toPage(request, path, 'devicesEnded')
}

/**
 * The section with the sessions of the user. Ending them requires a recent sign-in: with an old session, a thief could end each
 * session of the owner as soon as it begins.
 */
export function createDevicesSection(setup: AccountSetup): SectionParts {
  const { get, post } = bindRoutes(setup)
  return {
    section: {
      id: 'devices',
      order: 600,
      title: 'devices',
      path,
      summary: () => ({ text: 'devicesSummary' })
    },
    screens: [screen],
    routes: [get(path, showDevices), post(`${path}/end`, endSession), post(`${path}/end-others`, endOtherSessions)]
  }
}
