export type { ContractTest } from './case.ts'
export { type ContractOptions, testAdapter } from './test-adapter.ts'
