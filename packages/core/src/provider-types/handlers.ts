import type { Provider, ProviderKinds } from '../model/provider.ts'
import { credentials } from './credentials.ts'
import { email } from './email.ts'
import type { ProviderHandler } from './handler.ts'
import { oauth } from './oauth.ts'

type Kind = keyof ProviderKinds

/** The kinds of providers; the compiler asks for a row for each. */
const handlers: { readonly [K in Kind]: ProviderHandler<K> } = { credentials, email, oauth }

/** @returns The handler of a provider's kind. */
export function handlerOf<K extends Kind>(provider: Provider<K>): ProviderHandler<K> {
  return handlers[provider.kind]
}
