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
import type { PasskeyDeps } from './passkey-deps.ts'
import { getRelyingParty } from './relying-party.ts'
import { showSignIn } from './screens.ts'

/** Issues the options of a sign-in, and the cookie with its challenge. */
async function issueOptions(
  request: FeatureRequest,
  deps: PasskeyDeps
): Promise<{ readonly options: RequestOptions; readonly cookies: SetCookies }> {
  const { id: rpId } = getRelyingParty(request, deps)
  const { value: challenge, cookies } = await issueChallenge(
    { use: 'sign-in', userId: null, handle: '' },
    request,
    deps.context
  )
  const { userVerification } = deps
  return { options: createRequestOptions({ challenge, rpId, userVerification }), cookies }
}

/** The options for the script of the sign-in page. */
export async function sendRequestOptions(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const { options, cookies } = await issueOptions(request, deps)
  return json(options, cookies)
}

async function start(request: FeatureRequest, deps: PasskeyDeps): Promise<ActionResult> {
  const { options, cookies } = await issueOptions(request, deps)
  return showSignIn(request, { options, callbackUrl: await request.callbackUrl() }, cookies)
}

/** Verifies a passkey. @throws SignInError `PasskeyChanged`, `PasskeyExpired`, `PasskeyFailed`, `PasskeyUnknown` */
async function verify(request: FeatureRequest, deps: PasskeyDeps): Promise<ProvenIdentity> {
  const { passkey, user, amr } = await verifyAssertion(request, deps, { userId: null, challenges: deps.context })
  return { kind: 'identity', providerAccountId: passkey.id, user, amr }
}

/** Sign-in with a passkey: by the script of the sign-in page, or on a page of its own. */
export function createSignInMethod(deps: PasskeyDeps): SignInMethod {
  return {
    id: 'passkey',
    name: 'Passkey',
    title: 'name',
    submit: 'signIn',
    type: 'webauthn',
    accountPolicy: 'stored',
    start: (request) => start(request, deps),
    verify: (request) => verify(request, deps)
  }
}
