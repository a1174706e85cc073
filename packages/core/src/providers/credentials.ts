import type { Awaitable } from '../model/awaitable.ts'
import type { AuthorizeRequest } from '../model/provider.ts'
import type { CredentialInput, CredentialsConfig } from '../model/provider-config.ts'

/** The options of the credentials provider. */
export interface CredentialsOptions<Fields extends Readonly<Record<string, CredentialInput>>> {
  /** @defaultValue `credentials` */
  readonly id?: string
  /** @defaultValue `Credentials` */
  readonly name?: string
  /** The fields of the form. */
  readonly credentials: Fields
  /**
   * The field with the username, for the password rate limits.
   *
   * @defaultValue the text input with `autocomplete` `username` or `email`, else the one named `username`, `email`,
   * `login` or `identifier`, else the first text input
   */
  readonly identifier?: keyof Fields & string
  /**
   * Maps all spellings of a username to one string, for the password rate limits only; `authorize` receives the posted
   * value.
   *
   * @defaultValue NFKC, lower case, without white space, combining marks and invisible characters
   */
  readonly normalizeIdentifier?: (value: string) => string
  /** Returns the user, or `null`. Every field of the form is a string; a missing one is empty. */
  readonly authorize: (
    credentials: { readonly [F in keyof Fields]: string },
    request: AuthorizeRequest
  ) => Awaitable<{ id: string | number; name?: string | null; email?: string | null; image?: string | null } | null>
}

/** Sign-in with the application's own form. */
export default function credentials<const Fields extends Readonly<Record<string, CredentialInput>>>(
  options: CredentialsOptions<Fields>
): CredentialsConfig {
  return { id: 'credentials', name: 'Credentials', type: 'credentials', options }
}
