export { type CombinedMethods, type PosternTables, withPosternTables } from './with-postern-tables.ts'
