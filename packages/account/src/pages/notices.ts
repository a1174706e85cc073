import {
  AuthError,
  type FeatureContext,
  type FeatureMail,
  getBrowserName,
  getHeader,
  type SecurityEvent
} from '@postern/core/feature'
import { notifyUser } from './notify-user.ts'

/** The mails about what happens to an account. They need a mail server, and are not sent without one. */
export const noticeMails: readonly FeatureMail[] = [
  {
    ...{ name: 'connected', subject: 'mailConnectedSubject', text: 'mailConnectedText', button: 'mailButton' },
    isOptional: true
  },
  {
    ...{ name: 'disconnected', subject: 'mailDisconnectedSubject', text: 'mailDisconnectedText', button: 'mailButton' },
    isOptional: true
  },
  {
    ...{ name: 'new-device', subject: 'mailDeviceSubject', text: 'mailDeviceText', button: 'mailButton' },
    isOptional: true,
    emptyValues: { device: 'unknownDevice' }
  }
]

/** The notices about new devices that one user gets: someone who knows the password can sign in as often as they like. */
const deviceLimit = { points: 10, seconds: 3600 }

/** @returns Whether the user gets another notice about a new device. */
async function mayNotify(userId: string, { limit }: FeatureContext): Promise<boolean> {
  try {
    await limit('new-device', userId, deviceLimit)
    return true
  } catch (error) {
    // Without the limiter, the notice is sent.
    return !(error instanceof AuthError && error.code === 'RateLimited')
  }
}

/**
 * Sends the notices about sign-ins on new devices, and about connected and disconnected accounts. The first sign-in of a
 * user is none: the user has just signed up.
 */
export function createNotices(context: FeatureContext) {
  return async (event: SecurityEvent): Promise<void> => {
    const { type, userId, isNewUser, isKnownDevice, account, request, time } = event
    const isNewDevice = type === 'sign-in' && isKnownDevice === false && !isNewUser
    const isAccount = type === 'link' || type === 'unlink'
    if (!context.canSendMail || !(isNewDevice || isAccount)) return
    const user = await context.users.getUser(userId)
    if (!user) return
    if (isAccount) {
      const provider = context.providers.find(({ id }) => id === account?.provider)?.name ?? account?.provider ?? ''
      notifyUser(
        type === 'link' ? 'connected' : 'disconnected',
        user,
        { time, user, request, path: '/account/connections', values: { provider } },
        context
      )
      return
    }
    if (!(await mayNotify(userId, context))) return
    const device = getBrowserName(request && getHeader(request, 'user-agent')) ?? ''
    const facts = { time, user, request, path: '/account/devices', values: { device } }
    notifyUser('new-device', user, facts, context)
  }
}
