import type { ActionResult, FeatureRequest } from '@postern/core/feature'
import { getAccountUrl, getVerifyAddressUrl } from '../account-url.ts'
import { getVerifyUrl, readCredentialUser } from '../signed-in-user.ts'
import { issueCreationOptions } from './new-passkey.ts'
import { readOwnerProof } from './owner-proof.ts'
import type { PasskeySetup } from './passkey-setup.ts'
import { findProblem, listPasskeys } from './passkeys.ts'
import type { AcceptedCredentials, ListedPasskey, PasskeysProps } from './props.ts'
import { getRelyingParty } from './relying-party.ts'
import { showUnavailable } from './screens.ts'
import type { Passkey } from './stored-passkey.ts'
import type { TextKey } from './texts.ts'

/** What the pages show of a passkey. */
export function toListed(
  { id, name, createdAt, lastUsedAt, isBackedUp, source }: Passkey,
  { basePath }: Pick<FeatureRequest, 'basePath'>
): ListedPasskey {
  return {
    id,
    name,
    createdAt: createdAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    isBackedUp,
    href: source.kind === 'factor' ? `${basePath}/passkeys/${id}` : null
  }
}

/** The credentials by user handle: an authenticator may remove all others of a handle. */
function listAccepted(passkeys: readonly Passkey[], rpId: string): readonly AcceptedCredentials[] {
  const handles = new Set(passkeys.flatMap(({ handle }) => handle ?? []))
  return [...handles].map((userId) => ({
    rpId,
    userId,
    allAcceptedCredentialIds: passkeys.filter(({ handle }) => handle === userId).map(({ credentialId }) => credentialId)
  }))
}

/** Shows the passkeys of the signed-in user. @param problem - Why the last form was refused. */
export async function showList(
  request: FeatureRequest,
  setup: PasskeySetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const passkeys = await listPasskeys(found.user.id, setup)
  const reason = findProblem(found, passkeys)
  const { origin, basePath } = request
  const mayAdd = reason === null && found.isFresh
  const issued = mayAdd ? await issueCreationOptions(found, passkeys, request, setup) : null
  const mail = mayAdd ? (await readOwnerProof(found, passkeys, request, setup)).mail : 'none'
  const action = `${basePath}/passkeys`
  const props: PasskeysProps = {
    passkeys: passkeys.map((passkey) => toListed(passkey, request)),
    add: issued && { action, options: issued.options, mail, sendAction: `${action}/code` },
    verifyUrl: found.isFresh ? null : getVerifyUrl(request, `${origin}${basePath}/passkeys`, { amr: found.missing }),
    problem: problem ?? reason,
    addressUrl: reason === 'unverified' ? getVerifyAddressUrl(request, setup.context) : null,
    accountUrl: getAccountUrl(setup.context),
    accepted: listAccepted(passkeys, getRelyingParty(request, setup).id)
  }
  return request.screen('passkeys', props, { status: problem === null ? 200 : 400, cookies: issued?.cookies })
}
