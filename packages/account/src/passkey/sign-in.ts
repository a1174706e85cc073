import {
  type ActionResult,
  type FeatureRequest,
  json,
  type ProvenIdentity,
  type SetCookies,
  type SignInMethod
} from '@postern/core/feature'
import { verifyAssertion } from './assertion.ts'
import { createRequestOptions, type RequestOptions } from './ceremony-options.ts'
import { issueChallenge } from './challenges.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { SignInProps } from './props.ts'
import { getRelyingParty } from './relying-party.ts'

/** Issues the options of a sign-in, and the cookie with its challenge. */
async function issueOptions(
  request: FeatureRequest,
  setup: PasskeySetup
): Promise<{ readonly options: RequestOptions; readonly cookies: SetCookies }> {
  const { id: rpId } = getRelyingParty(request, setup)
  const { value: challenge, cookies } = await issueChallenge(
    { use: 'sign-in', userId: null, handle: '' },
    request,
    setup.context
  )
  const { userVerification } = setup
  return { options: createRequestOptions({ challenge, rpId, userVerification }), cookies }
}

/** The options for the script of the sign-in page. */
export async function sendRequestOptions(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const { options, cookies } = await issueOptions(request, setup)
  return json(options, cookies)
}

async function start(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const { options, cookies } = await issueOptions(request, setup)
  const { basePath } = request
  const urls = { action: `${basePath}/callback/passkey`, signInUrl: `${basePath}/signin` }
  const props: SignInProps = { ...urls, options, callbackUrl: await request.callbackUrl() }
  return request.screen('sign-in', props, { cookies })
}

/** Verifies a passkey. @throws SignInError `PasskeyChanged`, `PasskeyExpired`, `PasskeyFailed`, `PasskeyUnknown` */
async function verify(request: FeatureRequest, setup: PasskeySetup): Promise<ProvenIdentity> {
  const purpose = { userId: null, challenges: setup.context }
  const { passkey, user, version: userVersion, amr } = await verifyAssertion(request, setup, purpose)
  return { kind: 'identity', providerAccountId: passkey.id, user, userVersion, amr }
}

/** Sign-in with a passkey: by the script of the sign-in page, or on a page of its own. */
export function createSignInMethod(setup: PasskeySetup): SignInMethod {
  return {
    id: 'passkey',
    name: 'Passkey',
    title: 'name',
    submit: 'signIn',
    type: 'webauthn',
    accountPolicy: 'stored',
    start: (request) => start(request, setup),
    verify: (request) => verify(request, setup)
  }
}
