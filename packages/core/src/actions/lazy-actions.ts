// What a session, a form's token and the sign-in page do without. It is one module, so that it is one file of the bundle.
export { AccessTokens } from '../accounts/access-tokens.ts'
export { deleteUser, unlink } from '../accounts/leave.ts'
export { revokeTokens } from '../oauth/revocation.ts'
export { endByProvider } from './backchannel-logout.ts'
export { finishSignIn } from './callback.ts'
export { startSignIn } from './signin.ts'
export { showSignOut, signOut } from './signout.ts'
