// The code that the session, CSRF and sign-in page routes do not need. It is one module, so that the bundle has one
// file for it.
export { AccessTokens } from '../accounts/access-tokens.ts'
export { exportUser } from '../accounts/export-user.ts'
export { invite } from '../accounts/invitation.ts'
export { resume, suspend } from '../accounts/suspension.ts'
export { deleteUser, unlink } from '../accounts/unlink-account.ts'
export { revokeTokens } from '../oauth/revocation.ts'
export { endByProvider } from './backchannel-logout.ts'
export { finishSignIn } from './callback.ts'
export { signInUser } from './sign-in-user.ts'
export { startSignIn } from './signin.ts'
export { showSignOut, signOut } from './signout.ts'
export { showVerification, verifyInterruption } from './verify.ts'
