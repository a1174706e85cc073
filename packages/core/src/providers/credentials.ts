import type { AuthorizeRequest } from '../model/provider.ts'
import type { CredentialInput, CredentialsConfig } from '../model/provider-config.ts'

type Awaitable<T> = T | Promise<T>

export interface CredentialsOptions<Fields extends Readonly<Record<string, CredentialInput>>> {
  /** @defaultValue `credentials` */
  readonly id?: string
  /** @defaultValue `Credentials` */
  readonly name?: string
  /** The fields of the form. */
  readonly credentials: Fields
  /** Who it is, or `null`. Every field of the form is a text; one that was not sent is empty. */
  readonly authorize: (
    credentials: { readonly [F in keyof Fields]: string },
    request: AuthorizeRequest
  ) => Awaitable<{ id: string | number; name?: string | null; email?: string | null; image?: string | null } | null>
}

/** Sign-in by a form of the application's own. */
export default function credentials<const Fields extends Readonly<Record<string, CredentialInput>>>(
  options: CredentialsOptions<Fields>
): CredentialsConfig {
  return { id: 'credentials', name: 'Credentials', type: 'credentials', options }
}
