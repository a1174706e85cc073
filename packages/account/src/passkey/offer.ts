import {
  type ActionResult,
  type CompletedSignIn,
  type FeatureCookie,
  type FeatureRequest,
  getText,
  redirect
} from '@postern/core/feature'
import { readCredentialUser } from '../signed-in-user.ts'
import { type AddPage, addPasskey } from './add.ts'
import { issueCreationOptions } from './new-passkey.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findProblem, listPasskeys } from './passkeys.ts'
import type { OfferProps } from './props.ts'
import { passkeySupportCookie } from './script.ts'
import type { TextKey } from './texts.ts'

const offerPath = '/passkey/offer'

/** Browsers keep cookies for 400 days at most. */
const maxAge = 400 * 86_400

/** The users of one browser who do not want to be asked again; the one who said so first is dropped. */
const maxUsers = 8

/**
 * The ids of the users who do not want to be asked again in this browser. It is a preference and allows nothing: a user who removes
 * it is asked again.
 */
const getRefusals = ({ context }: PasskeySetup): FeatureCookie => context.cookie('no-offer', { maxAge })

async function readRefusals(request: FeatureRequest, setup: PasskeySetup): Promise<readonly string[]> {
  const text = await getRefusals(setup).read(request)
  return text === null ? [] : JSON.parse(text)
}

/**
 * Whether a sign-in is one after which a passkey helps: with a new account, a password, or a recovery code. An account that was
 * created at a provider has its way in.
 */
function isOccasion({ isNewUser, account: { type }, factors }: CompletedSignIn): boolean {
  const isRecovery = factors.length > 0 && factors.every((factor) => factor === 'mfa')
  return isRecovery || type === 'credentials' || (isNewUser && type !== 'oauth' && type !== 'oidc')
}

/** The page that offers a passkey after a sign-in: if the browser can create one, and the user has none. */
export async function findOffer(
  signIn: CompletedSignIn,
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<string | null> {
  const { user } = signIn
  if (!request.cookies.has(passkeySupportCookie) || !isOccasion(signIn)) return null
  if ((await readRefusals(request, setup)).includes(user.id)) return null
  const isStored = (await setup.context.users.getUser(user.id)) !== null
  return isStored && (await listPasskeys(user.id, setup)).length === 0 ? offerPath : null
}

/** What was refused before the offer is shown again. */
interface RefusedPasskey {
  /** Why; `null` if there is nothing to say, because the user was not asked. */
  readonly problem: TextKey | null
}

/** Shows the offer, or continues if there is nothing to offer. @param refused - `null` if no passkey was refused. */
async function show(
  request: FeatureRequest,
  setup: PasskeySetup,
  refused: RefusedPasskey | null
): Promise<ActionResult> {
  const callbackUrl = await request.callbackUrl()
  const found = await readCredentialUser(request, setup)
  const passkeys = found ? await listPasskeys(found.user.id, setup) : []
  if (!found?.isFresh || passkeys.length > 0 || findProblem(found, passkeys)) return redirect(callbackUrl)
  const { options, cookies } = await issueCreationOptions(found, passkeys, request, setup)
  const amr = (await request.getAuthentication())?.amr ?? []
  // A browser that does not ask verifies nobody. After a refusal, it would create one passkey after the other.
  const isConditional = refused === null && amr.includes('pwd') && setup.userVerification !== 'required'
  const action = `${request.basePath}${offerPath}`
  const problem = refused?.problem ?? null
  const refuseAction = `${action}/refuse`
  const props: OfferProps = { action, refuseAction, options, callbackUrl, isConditional, problem }
  return request.screen('offer', props, { status: problem === null ? 200 : 400, cookies })
}

/** Shows the offer, or continues if there is nothing to offer. */
export const showOffer = (request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> =>
  show(request, setup, null)

/** Adds the passkey, and continues. */
export function acceptOffer(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const isConditional = Boolean(getText(request.body, 'conditional')) && setup.userVerification !== 'required'
  const page: AddPage = {
    show: (request, setup, problem) => show(request, setup, { problem: isConditional ? null : problem }),
    getNext: ({ callbackUrl }) => callbackUrl(),
    isConditional
  }
  return addPasskey(request, setup, page)
}

/** Does not ask the user again in this browser, and continues. */
export async function refuseOffer(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const { userId } = await request.requireUser()
  const others = (await readRefusals(request, setup)).filter((id) => id !== userId)
  const cookies = await getRefusals(setup).create(JSON.stringify([...others, userId].slice(-maxUsers)), request)
  return redirect(await request.callbackUrl(), cookies)
}
