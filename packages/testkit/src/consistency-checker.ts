export { getFindings } from './consistency-checker/judge.ts'
export {
  type Entry,
  type HandedOut,
  isUncertain,
  Ledger,
  type Person,
  type Try,
  type VisitResult
} from './consistency-checker/ledger.ts'
export { type ReadableStore, type Rows, rowsByAdapter, rowsBySql } from './consistency-checker/rows.ts'
export { judge, type SettleOptions, type Survivor, settle } from './consistency-checker/settle.ts'
export { getSurvivor, type Reachable, watchedBrowser } from './consistency-checker/visitors.ts'
export { watching } from './consistency-checker/watching.ts'
