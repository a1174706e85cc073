import { confirmationProviderId } from '../model/confirmation-provider.ts'
import type { Provider, ProviderKinds } from '../model/provider.ts'
import { credentials } from './credentials.ts'
import { startEmail } from './email-start.ts'
import { verifyEmail } from './email-verify.ts'
import { feature } from './feature.ts'
import type { ProviderHandler } from './handler.ts'
import { mailedConfirmation } from './mailed-confirmation.ts'
import { oauth } from './oauth.ts'

type Kind = keyof ProviderKinds

/** A link and a code that only the reader of the mail knows. */
const email: ProviderHandler<'email'> = {
  start: (provider, ...about) =>
    provider.id === confirmationProviderId
      ? mailedConfirmation.start(provider, ...about)
      : startEmail(provider, ...about),
  verify: (provider, ...about) =>
    provider.id === confirmationProviderId
      ? mailedConfirmation.verify(provider, ...about)
      : verifyEmail(provider, ...about)
}

/** The handlers by kind; the compiler requires one for each. */
const handlers: { readonly [K in Kind]: ProviderHandler<K> } = { credentials, email, oauth, feature }

/** @returns The handler of a provider's kind. */
export function getHandler<K extends Kind>(provider: Provider<K>): ProviderHandler<K> {
  return handlers[provider.kind]
}
