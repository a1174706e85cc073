export { type ContractTest, requiredMethods } from './case.ts'
export { type ContractOptions, testAdapter } from './test-adapter.ts'
