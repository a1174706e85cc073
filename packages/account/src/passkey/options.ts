import type { Shape, SignUpPolicy } from '@postern/core/feature'
import { type SignUpFormOptions, signUpFormSchema } from '../sign-up-form/options.ts'
import type { AuthJsAuthenticators } from './auth-js.ts'

export interface PasskeyOptions extends SignUpFormOptions {
  /**
   * The domain that passkeys belong to: the host of the origin, or a domain above it, such as `example.com` for
   * `https://app.example.com`. Passkeys of one domain do not work at another, so do not change it.
   *
   * @defaultValue the host of the origin, without its port
   */
  readonly rpId?: string | undefined
  /**
   * Other origins at which these passkeys may be used, such as `https://example.de`. They are listed at
   * `/.well-known/webauthn`, which browsers read from `https://<rpId>`. Requires `rpId`.
   *
   * @defaultValue none
   */
  readonly relatedOrigins?: readonly string[] | undefined
  /**
   * The origins of your Android apps: `android:apk-key-hash:` and the SHA-256 hash of the certificate that signs the app, in
   * base64url. They are compared as they are, and listed nowhere; the app needs Digital Asset Links at the domain.
   *
   * @defaultValue none
   */
  readonly appOrigins?: readonly string[] | undefined
  /**
   * Whether an authenticator has to verify the user, by a PIN or biometrics. With `'preferred'`, a passkey that did not is
   * accepted as one factor: the session does not get `mfa`.
   *
   * @defaultValue `'preferred'`
   */
  readonly userVerification?: 'preferred' | 'required' | undefined
  /**
   * Whether visitors may create an account with a passkey: nobody with `false`, or the addresses for which the function
   * returns `true`. The sign-in page links to it. A mail confirms the address before there is a user; addresses that may not
   * sign up get the same response and no mail. Requires a mail server: the option `mailer`, or a provider for email.
   *
   * @defaultValue `false`
   */
  readonly signUp?: SignUpPolicy | undefined
  /**
   * Whether the built-in pages offer a passkey to users without one: after a sign-up, a sign-in with a password, and one with a
   * recovery code.
   *
   * @defaultValue `true`
   */
  readonly offer?: boolean | undefined
  /**
   * The adapter with the passkeys that Auth.js has stored: they keep working. New ones are stored as factors.
   *
   * @defaultValue none
   */
  readonly authenticators?: AuthJsAuthenticators | undefined
}

export const schema: Shape = {
  rpId: 'string',
  relatedOrigins: 'strings',
  appOrigins: 'strings',
  userVerification: ['preferred', 'required'],
  signUp: { oneOf: ['boolean', 'function'] },
  ...signUpFormSchema,
  offer: 'boolean',
  authenticators: {
    methods: ['getAccount', 'getAuthenticator', 'listAuthenticatorsByUserId', 'updateAuthenticatorCounter'],
    hint: 'pass the adapter of Auth.js'
  }
}
