export {
  changePassword,
  confirmSignUp,
  requestPasswordReset,
  resetPassword,
  signUpWithPassword
} from './password-calls.ts'
export type * from './password-types.ts'
