export { AmbiguousAddressError } from '../ambiguous-address-error.ts'
export { DuplicateError } from '../duplicate-error.ts'
export { memoryAdapter } from './adapter.ts'
