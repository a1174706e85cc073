export {
  approveDeletion,
  approveEmailChange,
  cancelEmailChange,
  changeEmail,
  confirmEmail,
  connectAccount,
  deleteAccount,
  disconnectAccount,
  endDevice,
  endOtherDevices,
  getAccount,
  getActivity,
  getConnections,
  getDevices,
  getEmail,
  keepAccount,
  updateProfile
} from './account-calls.ts'
export type * from './account-types.ts'
export { useAccount } from './use-account.ts'
