export { type Choose, type Exploration, explore, perform, type Violation, walk } from './access-model/explore.ts'
export { type Operation, operations } from './access-model/operations.ts'
export { allRules, type Rule, rules, type Setting } from './access-model/rules.ts'
export { createWorld, idleProcess, type Start, starts } from './access-model/starts.ts'
export {
  isIn,
  type Process,
  type Session,
  type Strategy,
  sessionKey,
  type Token,
  type User,
  type World
} from './access-model/world.ts'
