import type { ProviderHooks } from '../../model/provider.ts'

/** The codes with which a provider refuses a refresh token that is dead, in place of `invalid_grant`. */
export const grantOverBy =
  (...codes: readonly string[]): NonNullable<ProviderHooks['isGrantOver']> =>
  ({ error }) =>
    codes.includes(error ?? '') ? true : null

/** The codes with which a provider reports that the user canceled, in place of `access_denied`. */
export const canceledBy =
  (...codes: readonly string[]): NonNullable<ProviderHooks['isCanceled']> =>
  (response) =>
    codes.includes(response.get('error') ?? '')
