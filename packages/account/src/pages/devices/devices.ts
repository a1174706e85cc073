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
import { getDeviceTitle, getLead } from './describe-device.ts'
import type { Device, DevicesProps } from './props.ts'

const path = '/account/devices'

/** The devices of one page. The form for all other devices ends the rest. */
const maxShown = 50

const screen: FeatureScreen<DevicesProps, TextKey> = {
  name: 'devices',
  title: 'devices',
  width: 'wide',
  component: async () => (await import('./devices-screen.tsx')).DevicesScreen,
  plain: ({ devices, endOthersAction, verifyUrl, accountUrl }, texts) => ({
    text: [texts[getLead({ devices })], ...devices.map((device) => getDeviceTitle(device, texts))].join(' · '),
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
  const sessions = await context.postern.sessions.list(principal.userId, request, { limit: maxShown + 1 })
  const toDevice = ({ id, actor, userAgent, provider, createdAt, lastSeen, ...session }: UserSession): Device => ({
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
  const devices = sessions.map(toDevice).toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
  const own = `${request.origin}${request.basePath}${path}`
  const hasOthers = devices.some(({ isCurrent }) => !isCurrent)
  const verifyUrl = hasOthers && !hasRecentSignIn(principal, setup.context) ? getVerifyUrl(request, own) : null
  const props: DevicesProps = {
    ...getFrame(request, context, { problem, verifyUrl }),
    devices: devices.slice(0, maxShown),
    hasMore: devices.length > maxShown,
    endAction: `${request.basePath}${path}/end`,
    endOthersAction: `${request.basePath}${path}/end-others`
  }
  return request.screen('devices', props, { status: problem === null ? 200 : 400 })
}

/** Ends one session of the user: nobody else has a session with this id. */
async function endDevice(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  if (!hasRecentSignIn(await request.requireUser(), setup.context)) return askToAuthenticate(request, path)
  // The session may have been ended by another process, which this one has not read yet.
  const { userId } = await request.confirmUser()
  const id = getText(request.body, 'id') ?? ''
  const isEnded = id !== '' && (await setup.context.postern.sessions.revoke(id, userId, { request }))
  return isEnded ? toPage(request, path, 'deviceEnded') : showDevices(request, setup, 'alreadyGone')
}

async function endOtherDevices(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
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
    routes: [get(path, showDevices), post(`${path}/end`, endDevice), post(`${path}/end-others`, endOtherDevices)]
  }
}
