import {
  AuthError,
  type FeatureContext,
  type FeatureMail,
  getBrowserName,
  getHeader,
  type SecurityEvent
} from '@postern/core/feature'
import { optionalMail } from '../mail/feature-mail.ts'
import { notifyUser } from '../notify-user.ts'
import type { TextKey } from './texts.ts'

const mail = optionalMail<TextKey>
const button = 'mailButton'

/** The mails about what happens to an account. They need a mail server, and are not sent without one. */
export const noticeMails: readonly FeatureMail[] = [
  mail('created', 'mailCreatedSubject', 'mailCreatedText', { button }),
  mail('connected', 'mailConnectedSubject', 'mailConnectedText', { button }),
  mail('disconnected', 'mailDisconnectedSubject', 'mailDisconnectedText', { button }),
  mail('new-device', 'mailDeviceSubject', 'mailDeviceText', { button, emptyValues: { device: 'unknownDevice' } })
]

/** The notices about new devices that one user gets: someone who knows the password can sign in as often as they like. */
const deviceLimit = { points: 10, seconds: 3600 }

/** The notices about new users that one address gets: such a user can be deleted and created again. */
const createdLimit = { points: 3, seconds: 86_400 }

/** @returns Whether another notice may be sent. */
async function mayNotify(name: 'created' | 'new-device', subject: string, { limit }: FeatureContext): Promise<boolean> {
  try {
    await limit(name, subject, name === 'created' ? createdLimit : deviceLimit)
    return true
  } catch (error) {
    // Without the limiter, the notice is sent.
    return !(error instanceof AuthError && error.code === 'RateLimited')
  }
}

/** Tells the owner of an address that a provider has only claimed: nobody else would notice a user who has it. */
async function notifyOwner({ userId, account, request, time }: SecurityEvent, context: FeatureContext): Promise<void> {
  const provider = context.providers.find(({ id }) => id === account?.provider)
  if (provider?.type !== 'oauth' && provider?.type !== 'oidc') return
  const user = await context.users.getUser(userId)
  if (!user?.email || user.emailVerified || !(await mayNotify('created', user.email, context))) return
  const facts = { time, user, request, path: '/account', values: { provider: provider.names } }
  // The mail is about the address, so it goes there although it is not verified.
  notifyUser('created', { email: user.email, emailVerified: time }, facts, context)
}

/**
 * Sends the notices about sign-ins on new devices, about connected and disconnected accounts, and about a new user whose address
 * nobody has proven. The first sign-in of any other user is none: the user has just signed up.
 */
export function createNotices(context: FeatureContext) {
  return async (event: SecurityEvent): Promise<void> => {
    const { type, userId, isNewUser, isKnownDevice, account, request, time } = event
    const isNewDevice = type === 'sign-in' && isKnownDevice === false && !isNewUser
    const isAccount = type === 'link' || type === 'unlink'
    if (!context.canSendMail) return
    if (type === 'sign-in' && isNewUser) return notifyOwner(event, context)
    if (!(isNewDevice || isAccount)) return
    if (isNewDevice && !(await mayNotify('new-device', userId, context))) return
    const user = await context.users.getUser(userId)
    if (!user) return
    if (isAccount) {
      const provider = context.providers.find(({ id }) => id === account?.provider)?.names ?? account?.provider ?? ''
      const facts = { time, user, request, path: '/account/connections', values: { provider } }
      return notifyUser(type === 'link' ? 'connected' : 'disconnected', user, facts, context)
    }
    const browser = getBrowserName(request && getHeader(request, 'user-agent')) ?? ''
    const facts = { time, user, request, path: '/account/devices', values: { device: browser } }
    notifyUser('new-device', user, facts, context)
  }
}
