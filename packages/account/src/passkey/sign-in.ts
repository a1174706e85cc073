import {
  type ActionResult,
  type FeatureRequest,
  json,
  type ProvenIdentity,
  type SignInMethod
} from '@postern/core/feature'
import { verifyAssertion } from './assertion.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import type { SignInProps } from './props.ts'
import { issueRequestOptions } from './request-options.ts'

const purpose = { use: 'sign-in', userId: null } as const

/** The options for the script of the sign-in page. */
export async function sendRequestOptions(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const { options, cookies } = await issueRequestOptions(purpose, [], request, setup)
  return json(options, cookies)
}

async function start(request: FeatureRequest, setup: PasskeySetup): Promise<ActionResult> {
  const { options, cookies } = await issueRequestOptions(purpose, [], request, setup)
  const { basePath } = request
  const props: SignInProps = {
    action: `${basePath}/callback/passkey`,
    signInUrl: `${basePath}/signin`,
    options,
    callbackUrl: await request.callbackUrl()
  }
  return request.screen('sign-in', props, { cookies })
}

/** Verifies a passkey. @throws SignInError `PasskeyChanged`, `PasskeyExpired`, `PasskeyFailed`, `PasskeyUnknown` */
async function verify(request: FeatureRequest, setup: PasskeySetup): Promise<ProvenIdentity> {
  const use = { userId: null, challenges: setup.context }
  const { passkey, found, amr } = await verifyAssertion(request, setup, use)
  return { kind: 'identity', providerAccountId: passkey.id, user: found.user, found, amr }
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
