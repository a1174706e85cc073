export { DuplicateError } from '../duplicate-error.ts'
export { memoryAdapter } from './adapter.ts'
