export {
  type Authenticator,
  type AuthenticatorOptions,
  type Changes,
  type CreationOptions,
  createAuthenticator,
  type RequestOptions,
  type SoftwarePasskey,
  toCose
} from '@postern/testkit/software-authenticator'
