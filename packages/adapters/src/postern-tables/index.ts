export type { SharedMethods } from './shared-tables.ts'
export {
  type CombinedMethods,
  type OneStoreMethod,
  type PosternTables,
  type PosternTablesOptions,
  type SharedPosternTables,
  withPosternTables
} from './with-postern-tables.ts'
