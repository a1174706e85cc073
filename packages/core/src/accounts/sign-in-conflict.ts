/** Another sign-in changed what this one is based on: it must be planned again. */
export class SignInConflict extends Error {
  override readonly name: string = 'SignInConflict'
}
