import type { Provider, ProviderKinds } from '../model/provider.ts'
import { credentials } from './credentials.ts'
import { startEmail } from './email-start.ts'
import { verifyEmail } from './email-verify.ts'
import type { ProviderHandler } from '../provider-types/handler.ts'
import { oauth } from './oauth.ts'

type Kind = keyof ProviderKinds

/** A link, and a code beside it, that only who reads the mail can have. */
const email: ProviderHandler<'email'> = {
  methods: ['GET', 'POST'],
  start: startEmail,
  verify: verifyEmail
}

/** The kinds of providers; the compiler asks for a row for each. */
const handlers: { readonly [K in Kind]: ProviderHandler<K> } = { credentials, email, oauth }

/** @returns The handler of a provider's kind. */
export function handlerOf<K extends Kind>(provider: Provider<K>): ProviderHandler<K> {
  return handlers[provider.kind]
}
