export {
  confirmEnrollment,
  createRecoveryCodes,
  getSecondFactor,
  removeSecondFactor,
  sendEnrollmentCode,
  startEnrollment
} from './manage-second-factor.ts'
export {
  completeEnrollment,
  confirmRequiredEnrollment,
  getPendingSignIn,
  sendMailedCode,
  verifySecondFactor
} from './pending-sign-in.ts'
export type * from './second-factor-types.ts'
